import { aiNameToSlug, numberSlug, parseAddress, printAddress } from '@hearth/addresses';

/**
 * Candidate addresses for an AI of this person, unnumbered first: `@ann.ai-helper`, `@ann.ai-helper-2`, ...
 */
export function ownAddresses(handle: string, name: string, count: number): string[] {
  const slug = aiNameToSlug(name);
  return Array.from({ length: count }, (_, index) =>
    printAddress({ kind: 'ai', handle, name: index === 0 ? slug : numberSlug(slug, index + 1) }),
  );
}

/** Whether the AI could have got this address for the name: a new name with the same slug keeps it. */
export function suits(address: string, handle: string, name: string): boolean {
  const slug = aiNameToSlug(name);
  const number = Number(/-([1-9]\d{0,3})$/.exec(address)?.[1] ?? 0);
  const suiting = [slug, ...(number > 1 ? [numberSlug(slug, number)] : [])];
  return suiting.some((each) => printAddress({ kind: 'ai', handle, name: each }) === address);
}

/** The address of the AI that runs a group. */
export function groupAiAddress(handle: string): string {
  return printAddress({ kind: 'ai', handle, name: 'group', ofGroup: true });
}

/** The name of the AI that runs a group. */
export function groupAiName(group: string): string {
  return `${group} (group AI)`;
}

/** The handle in an AI's address; empty if the text is not one. */
export function handleOf(address: string): string {
  const read = parseAddress(address);
  return read?.kind === 'ai' ? read.handle : '';
}
