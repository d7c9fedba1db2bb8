/**
 * Connections of the engine's kinds: as many, to as many origins, as it has attempts in flight. Many AIs and apps can be at
 * one host of a large platform, and those there that never answer must not keep the others from a connection.
 */
export const outboundConnections = {
  maxOrigins: 4_096,
  socketsPerOrigin: 2_560,
  requestsPerOrigin: 4_096,
} as const;
