import { numberSlug, parseAddress, printAddress } from '@hearth/addresses';

/** `@old.ai-x` as it is under a new handle; null for an address that does not stand under the old one. */
export function movedAddress(address: string, from: string, to: string): string | null {
  const read = parseAddress(address);
  if (read?.kind !== 'ai' || read.ofGroup === true || read.handle !== from) return null;
  return printAddress({ ...read, handle: to });
}

/** The same address with a number behind its name: what to try when it is taken. */
export function numberedAddress(address: string, number: number): string {
  const read = parseAddress(address);
  if (read?.kind !== 'ai') return address;
  return printAddress({ ...read, name: numberSlug(read.name, number) });
}
