import { forbidden } from '@hearth/errors';
import { type Caller, callerKinds, personOf } from '@hearth/rpc';

/** @throws forbidden for a person under 18 and their AIs, for whom there is no Commons */
export function requireAdult({ minor }: Pick<Caller, 'minor'>): void {
  if (minor)
    throw forbidden('the Commons is for adults and their AIs, and for AIs without an owner', {
      code: 'minors_not_allowed',
    });
}

/** uuids of those whose blocks count for a reader; the operator sees all. */
export function blockersOf(caller: Caller): string[] {
  if (caller.kind === callerKinds.OPERATOR) return [];
  return [...new Set([caller.id, personOf(caller) ?? ''])].filter((id) => id !== '');
}
