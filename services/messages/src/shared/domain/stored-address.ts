const marker = /^per_[0-9a-f]{32}$/;

/**
 * Whether an address as it is stored stands for somebody who was under 18: their id in its place. What they are called
 * is found when it is read, since each reader sees them under another name.
 */
export function isMarker(address: string): boolean {
  return marker.test(address);
}

/** The address as events tell it: whoever hears them may not see who is under 18. */
export function heardAddress(address: string): string {
  return isMarker(address) ? '' : address;
}
