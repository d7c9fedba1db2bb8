/**
 * Limits on requests from other homes, published as `federation.limits`: bytes of a request and of an item,
 * items, concurrent requests.
 */
export const inboxLimits = {
  max_request: 262_144,
  max_item: 65_536,
  max_items: 200,
  max_at_once: 4,
} as const;
