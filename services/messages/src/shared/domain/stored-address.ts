import { parseId } from '@hearth/ids';

const marker = /^per_[0-9a-f]{32}$/;

/**
 * Whether a stored address is a marker: the id of a person who was under 18, in the place of their address. Their
 * address and name are found when the message is read, because each reader may see them differently.
 */
export function isMarker(address: string): boolean {
  return marker.test(address);
}

/** The uuid behind a marker. */
export function uuidOf(marker: string): string {
  return parseId('per', marker) as string;
}

/** The other home that a stored address is of: hearth.example of ada@hearth.example; empty for one of this home. */
export function homeOf(address: string): string {
  const at = address.indexOf('@', 1);
  return at < 0 ? '' : address.slice(at + 1);
}

export function isElsewhere(address: string): boolean {
  return homeOf(address) !== '';
}

/** The address as events carry it: empty for a marker, because not every consumer may see who is under 18. */
export function announcedAddress(address: string): string {
  return isMarker(address) ? '' : address;
}
