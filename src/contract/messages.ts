/** What OpenClasp's messages hold. Checked against the schema before anything here is trusted. */

export interface Signature {
  algorithm: 'Ed25519';
  keyId: string;
  /** Base64url without padding. */
  value: string;
}

/** What both parties agree to. Its fields are explained in docs/contracts.md. */
export interface Contract {
  protocolVersion: '0.1';
  interactionId: string;
  purpose: string;
  parties: string[];
  taskCategory: string;
  requestedOutcome: string;
  successCriteria: string[];
  allowedActions: string[];
  prohibitedActions: string[];
  allowedData: string[];
  prohibitedData: string[];
  /** ISO 8601, UTC. */
  deadline?: string;
  evidenceRequirements: string[];
  delegationRules: string[];
  humanApprovalRequirements: string[];
  factCheckingPolicy: string;
  mediationPolicy: 'none' | 'mutual_consent';
  retentionDays: number;
  completionConditions: string[];
  cancellationConditions: string[];
  /** By party id. */
  signatures: { [partyId: string]: Signature };
}

export interface Insight {
  code: string;
  severity: 'info' | 'caution' | 'high';
  message: string;
  evidenceReferences: string[];
  requirementReferences: string[];
  confidence?: number;
}

export interface Requirement {
  requirementId: string;
  requirement: string;
  kind: string;
  status: 'match' | 'partial' | 'mismatch' | 'unknown';
  reason: string;
  confidence: number;
  sources: string[];
  evidenceReferences: string[];
}

/** What the platform knows of the counterparty. */
export interface Brief {
  briefId: string;
  interactionId: string;
  contractHash: string;
  recipientAgentId: string;
  subjectAgentId: string;
  taskCategory: string;
  decision: Decision;
  requirements: Requirement[];
  insights: Insight[];
  relevantSampleSize: number;
  historyConfidence: number;
  subjectAgentVersion: string;
  recommendedContractChanges: string[];
  generatedAt: string;
  expiresAt: string;
  signature?: Signature;
}

export type Decision = 'ALLOW' | 'CHALLENGE' | 'DENY';

export interface Offer {
  type: 'openclasp.session.offer';
  version: '1';
  offerId: string;
  interactionId: string;
  /** Whose character is to be driven. */
  agentId: string;
  role: 'initiator' | 'responder';
  /** Who is to drive it. */
  counterparty: { agentId: string; name: string; agentVersion: string; capabilities: string[] };
  contract: Contract;
  contractHash: string;
  privateInsights: Insight[];
  counterpartyBrief?: Brief;
  issuedAt: string;
  expiresAt: string;
}

export interface Activation {
  type: 'openclasp.session.activation';
  version: '1';
  activationId: string;
  interactionId: string;
  agentId: string;
  sessionId: string;
  role: 'initiator' | 'responder';
  peer: { agentId: string; sessionId: string; endpoint: string; bearerToken: string; verificationKey: string };
  reporting: Reporting;
  privateInsights?: Insight[];
  counterpartyBrief?: Brief;
  contractHash: string;
  activatedAt: string;
  expiresAt: string;
}

/** Where the platform wants to hear how the session goes. */
interface Reporting {
  endpoint: string;
  completionEndpoint?: string;
  feedbackEndpoint?: string;
  assuranceResponseEndpoint?: string;
  bearerToken: string;
}

export interface Verify {
  type: 'openclasp.runtime.verify';
  version: '1';
  agentId: string;
  challenge: string;
}

export interface Accepted {
  type: 'openclasp.session.accepted';
  version: '1';
  offerId: string;
  interactionId: string;
  agentId: string;
  sessionId: string;
  a2aEndpoint: string;
  expiresAt: string;
}

/** What a bearer token says (T8). `expiresAt`: milliseconds since 1970. */
export interface TokenClaims {
  interactionId: string;
  senderAgentId: string;
  recipientAgentId: string;
  expiresAt: number;
}
