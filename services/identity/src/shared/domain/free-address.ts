import { aiNameToSlug, isFreeHandle, parseAddress, printAddress } from '@hearth/addresses';

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
const codeLength = 6;

/**
 * The largest multiple of 36 in a byte: using the bytes from there on would make some letters likelier than
 * others.
 */
const fairBelow = 252;

/**
 * `@free-<6 of a-z0-9>.ai-<name>`: one of 2^31 addresses of this name, for an AI without an owner or with a
 * private one.
 */
export function freeAddress(name: string, randomBytes: (count: number) => Uint8Array): string {
  let code = '';
  while (code.length < codeLength) {
    for (const byte of randomBytes(codeLength)) {
      if (byte < fairBelow && code.length < codeLength) code += letters[byte % letters.length];
    }
  }
  return printAddress({ kind: 'ai', handle: `free-${code}`, name: aiNameToSlug(name) });
}

/** Whether an AI's address reveals its owner, being under a person's handle. */
export function tellsOwner(address: string): boolean {
  const read = parseAddress(address);
  return read?.kind === 'ai' && read.ofGroup !== true && !isFreeHandle(read.handle);
}
