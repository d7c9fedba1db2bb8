import { isAiSlug } from './ai-name.ts';
import { isHandle } from './handle.ts';
import { type HomeNameOptions, isHomeName } from './home-name.ts';

interface At {
  handle: string;
  /** Its home, if it is not the reader's. */
  home?: string;
}

export interface PersonAddress extends At {
  kind: 'person';
}

export interface AiAddress extends At {
  kind: 'ai';
  /** The part after `.ai-`. */
  name: string;
  /** Whether it runs the group with that handle, instead of belonging to the person with that handle. */
  ofGroup?: true;
}

export interface GroupAddress extends At {
  kind: 'group';
}

export type Address = PersonAddress | AiAddress | GroupAddress;

export interface AddressOptions extends HomeNameOptions {
  /** The reader's own home: addresses that name it are read as local. */
  ownHome?: string;
}

const maxAddressLength = 400;

/**
 * Parses an address; null if the text is not one.
 *
 *     local    @<handle>   @<handle>.ai-<name>   &<handle>   &<handle>.ai-<name>
 *     remote   <handle>@<home>   <handle>.ai-<name>@<home>   &<handle>@<home>   &<handle>.ai-<name>@<home>
 *
 * As people write them, a remote address may also begin with `@`, and ASCII capitals count as lower case. Machines must
 * send the canonical spelling: see isCanonicalAddress.
 */
export function parseAddress(text: string, options: AddressOptions = {}): Address | null {
  if (text.length > maxAddressLength) return null;
  const lower = text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const sigil = lower[0] === '@' || lower[0] === '&' ? lower[0] : '';
  const rest = lower.slice(sigil.length);
  const at = rest.indexOf('@');
  // Without a home, only the sigil tells an address from a word.
  if (at < 0) return sigil === '' ? null : parseLocalPart(rest, sigil);

  const home = rest.slice(at + 1);
  const local = parseLocalPart(rest.slice(0, at), sigil);
  if (local === null) return null;
  if (home === options.ownHome) return local;
  return isHomeName(home, options) ? { ...local, home } : null;
}

function parseLocalPart(text: string, sigil: string): Address | null {
  const dot = text.indexOf('.');
  const handle = dot < 0 ? text : text.slice(0, dot);
  if (!isHandle(handle)) return null;
  if (dot < 0) return { kind: sigil === '&' ? 'group' : 'person', handle };
  const suffix = text.slice(dot + 1);
  if (!suffix.startsWith('ai-')) return null;
  const name = suffix.slice('ai-'.length);
  if (!isAiSlug(name)) return null;
  return { kind: 'ai', handle, name, ...(sigil === '&' && { ofGroup: true }) };
}

/** Prints an address in its canonical form. */
export function printAddress(address: Address): string {
  const local = address.kind === 'ai' ? `${address.handle}.ai-${address.name}` : address.handle;
  const group = address.kind === 'group' || (address.kind === 'ai' && address.ofGroup === true);
  if (address.home === undefined) return `${group ? '&' : '@'}${local}`;
  return `${group ? '&' : ''}${local}@${address.home}`;
}

/** The address as another home must see it: with `ownHome` if it names no home. */
export function printFullAddress(address: Address, ownHome: string): string {
  return printAddress({ ...address, home: address.home ?? ownHome });
}

/**
 * Adds the home to a canonical address: "@ana" of home.example becomes "ana@home.example". An address with a home, and
 * '', are unchanged.
 */
export function withHome(address: string, home: string): string {
  if (address === '' || address.indexOf('@') > 0) return address;
  return `${address.startsWith('@') ? address.slice(1) : address}@${home}`;
}

/** The canonical address as seen by that home: its own addresses without the home. */
export function asAt(address: string, home: string): string {
  if (!address.endsWith(`@${home}`)) return address;
  const own = address.slice(0, -home.length - 1);
  return own.startsWith('&') ? own : `@${own}`;
}

/** Whether `text` is an address in canonical form, as records and other homes must write it. */
export function isCanonicalAddress(text: string, options: HomeNameOptions = {}): boolean {
  const address = parseAddress(text, options);
  return address !== null && printAddress(address) === text;
}

export function sameAddress(one: Address, other: Address): boolean {
  return printAddress(one) === printAddress(other);
}
