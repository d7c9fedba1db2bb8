import { createCoalescer } from '@hearth/coalesce';
import { enumNames } from '@hearth/enum-names';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import { Scope, ScopeSchema } from '@hearth/proto/options';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { findRepresented as findRows, type RepresentedWanted } from '../db/represented.ts';

const most = 500;
const scopes = enumNames(ScopeSchema);

/** The people with an AI, not switched off, that holds the permission. */
export const findRepresented = ({
  database,
}: Context): UnaryHandler<typeof AisService.method.findRepresented> => {
  const reads = createCoalescer<RepresentedWanted, string[]>({
    name: 'batch of represented people',
    maxBatch: 50,
    run: (wanted) => findRows(database.db, wanted),
  });
  return async ({ people, permission }) => {
    if (people.length > most) throw badField('people', `must be at most ${most}`);
    if (permission === Scope.UNSPECIFIED) throw badField('permission', 'must be given');
    return {
      people: await reads.add({ people: people.filter(isUuid), permission: scopes.nameOf(permission) }),
    };
  };
};
