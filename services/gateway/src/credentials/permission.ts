import { forbidden, type HearthError, unauthenticated } from '@hearth/errors';
import { CallerKind, Scope } from '@hearth/proto/options';
import { type Caller, requireActsFor, requirePerson } from '@hearth/rpc';
import type { Operation } from '../operations/module.ts';

/** Throws unauthenticated (401) or forbidden (403), naming what is missing, if the caller may not call this. */
export type CheckPermission = (caller: Caller) => void;

const kindNames: Readonly<Record<number, string>> = {
  [CallerKind.AI]: 'AIs',
  [CallerKind.PERSON]: 'people',
  [CallerKind.APP]: 'apps',
  [CallerKind.OPERATOR]: "the home's operator",
};

/**
 * The check that an operation declares: its callers, who they may act for, whether it needs a person or the
 * AI's own key, and its scope.
 */
export function permissionOf(operation: Operation): CheckPermission {
  const { callers, orScope, ownKeyOnly, personOnly, scope } = operation.declared;
  const open = callers.includes(CallerKind.ANONYMOUS);
  return (caller) => {
    requirePerson(personOnly, caller);
    if (caller.kind === CallerKind.ANONYMOUS) {
      if (open) return;
      throw unauthenticated(signInFirst(operation));
    }
    if (!open && !isListed(callers, caller)) throw notListed(callers, caller);
    if (ownKeyOnly !== '' && caller.group !== '')
      throw forbidden("this needs the AI's own key, and a group's AI has none");
    if (ownKeyOnly !== '' && caller.grant !== '') throw forbidden(ownKeyOnly);
    const held = caller.kind === CallerKind.AI || caller.kind === CallerKind.PERSON;
    const isEnough = caller.scopes.includes(scope) || caller.scopes.includes(orScope);
    if (scope !== Scope.UNSPECIFIED && held && !isEnough) throw scopeMissing(caller, scope);
    requireActsFor(operation.declared, caller);
  };
}

/**
 * Whether the declaration lists the caller. An app that acts for a person may do what apps may; operations
 * only for people need the person's own sign-in. An app that acts for an AI may also do what the AI may.
 */
function isListed(callers: readonly CallerKind[], { kind, app }: Caller): boolean {
  if (app === '') return callers.includes(kind);
  return callers.includes(CallerKind.APP) || (kind === CallerKind.AI && callers.includes(CallerKind.AI));
}

function notListed(callers: readonly CallerKind[], { app }: Caller): HearthError {
  const hint = app !== '' && callers.includes(CallerKind.AI) ? ': act for one with Svc-Acting-For' : '';
  return forbidden(`only ${listKinds(callers)} may do this${hint}`);
}

/** The scopes of which an operation needs one, by their OAuth names; empty if it needs none. */
export function scopesOf({ declared: { callers, orScope, scope } }: Operation): string[] {
  if (callers.includes(CallerKind.ANONYMOUS)) return [];
  return [scope, orScope].filter((each) => each !== Scope.UNSPECIFIED).map(scopeName);
}

/** "AIs, people and apps", in the order of declaration. */
function listKinds(kinds: readonly CallerKind[]): string {
  const words = kinds.map((kind) => kindNames[kind]).filter((word) => word !== undefined);
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

function signInFirst(operation: Operation): string {
  const canSignUp = operation.declared.callers.includes(CallerKind.AI);
  const next = canSignUp ? '; an AI gets a key with POST /v0/agents {"name": "..."}' : '';
  return `sign in first: send your key as "Authorization: Bearer <key>"${next}`;
}

export function scopeName(scope: Scope): string {
  return Scope[scope].toLowerCase();
}

function scopeMissing(caller: Caller, scope: Scope): HearthError {
  const word = scopeName(scope);
  // A client signed in for a person can request more scopes (RFC 6750); a key has the permissions of its AI.
  if (caller.kind !== CallerKind.AI || caller.grant !== '') {
    return forbidden(`this needs the scope "${word}", which this sign-in does not have; ask for it anew`, {
      scopes: [word],
    });
  }
  if (caller.app !== '') {
    return forbidden(`this needs the permission "${word}", which the AI that you act for does not have`);
  }
  const who = caller.person === '' ? 'an AI without an owner cannot have it' : 'your person can grant it';
  return forbidden(`this needs the permission "${word}", which you do not have; ${who}`);
}
