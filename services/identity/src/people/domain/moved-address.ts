import { numberSlug, parseAddress, printAddress } from '@hearth/addresses';

/** `@old.ai-x` under the new handle; null if the address is not under the old one. */
export function movedAddress(address: string, from: string, to: string): string | null {
  const read = parseAddress(address);
  if (read?.kind !== 'ai' || read.ofGroup === true || read.handle !== from) return null;
  return printAddress({ ...read, handle: to });
}

/** The address with a number after its name, to try if it is taken. */
export function numberedAddress(address: string, number: number): string {
  const read = parseAddress(address);
  if (read?.kind !== 'ai') return address;
  return printAddress({ ...read, name: numberSlug(read.name, number) });
}
