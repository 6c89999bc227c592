/** Set by `npm run test:long`, which runs at full length what `npm test` runs a part of. */
export const isLong = process.env.TESTS_EXTENT === 'long';
