/**
 * Every way in which a call can fail, with its HTTP and gRPC statuses.
 * `grpc` is a google.rpc.Code. The table in docs/protocol/messages.md is generated from this.
 */
export const errorKinds = {
  bad_request: { grpc: 3, http: 400 },
  unauthenticated: { grpc: 16, http: 401 },
  forbidden: { grpc: 7, http: 403 },
  not_found: { grpc: 5, http: 404 },
  method_not_allowed: { grpc: 12, http: 405 },
  too_large: { grpc: 11, http: 413 },
  rate_limited: { grpc: 8, http: 429 },
  internal: { grpc: 13, http: 500 },
  not_built: { grpc: 12, http: 501 },
  unavailable: { grpc: 14, http: 503 },
  deadline_exceeded: { grpc: 4, http: 503 },
} as const;

export type ErrorKind = keyof typeof errorKinds;
