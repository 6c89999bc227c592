const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether this is a UUID in its plain 36-character form, any version, the nil one included; `urn:uuid:` forms are not (AICC A3). */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && UUID.test(value);
}
