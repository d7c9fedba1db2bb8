import { parseId } from '@hearth/ids';

const marker = /^per_[0-9a-f]{32}$/;

/**
 * Whether a stored address is a marker: the id of a person under 18 in place of an address. Address and name
 * are resolved on reading, because each reader may see them differently.
 */
export function isMarker(address: string): boolean {
  return marker.test(address);
}

/** The uuid in a marker. */
export function uuidOf(marker: string): string {
  return parseId('per', marker) as string;
}

/** The home of a remote stored address (hearth.example of ada@hearth.example); empty for a local one. */
export function homeOf(address: string): string {
  const at = address.indexOf('@', 1);
  return at < 0 ? '' : address.slice(at + 1);
}

export function isElsewhere(address: string): boolean {
  return homeOf(address) !== '';
}

/** The address for events; empty for a marker, because not every consumer may identify people under 18. */
export function announcedAddress(address: string): string {
  return isMarker(address) ? '' : address;
}
