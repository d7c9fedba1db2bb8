/**
 * Error codes about events, in answers over MCP and in `terminated`, as used by deployed clients and the
 * public conformance scenarios. SEP-3415 renumbers them -32023 to -32027.
 */
export const eventErrorCodes = {
  /** data.kind: event or subscription. */
  notFound: -32_011,
  forbidden: -32_012,
  /** data.limit, data.max. */
  resourceExhausted: -32_013,
  /** data.feature, data.value. */
  unsupported: -32_014,
  /** data.reason: a category of failed deliveries. */
  callbackEndpoint: -32_015,
} as const;
