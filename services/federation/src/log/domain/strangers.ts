/** Things from homes that no party here ever wrote to is forgotten after 30 days: an item counts for 14. */
export const strangersKeptMs = 30 * 86_400_000;
