/** Items from strangers are deleted after 30 days; an item is valid for 14. */
export const strangersKeptMs = 30 * 86_400_000;
