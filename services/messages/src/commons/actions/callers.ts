import { forbidden } from '@hearth/errors';
import { type Caller, callerKinds, personOf } from '@hearth/rpc';

/** @throws forbidden for people under 18 and their AIs, who have no access to the Commons */
export function requireAdult({ minor }: Pick<Caller, 'minor'>): void {
  if (minor)
    throw forbidden('the Commons is for adults and their AIs, and for AIs without an owner', {
      code: 'minors_not_allowed',
    });
}

/** uuids whose blocks apply to the reader; none for the operator, who sees everything. */
export function blockersOf(caller: Caller): string[] {
  if (caller.kind === callerKinds.OPERATOR) return [];
  return [...new Set([caller.id, personOf(caller) ?? ''])].filter((id) => id !== '');
}
