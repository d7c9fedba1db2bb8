/** The bounds on requests of another home: `federation.limits` of its document. Bytes of a request and of an item, items, requests at once. */
export const inboxLimits = {
  max_request: 262_144,
  max_item: 65_536,
  max_items: 200,
  max_at_once: 4,
} as const;
