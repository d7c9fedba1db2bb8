import { nowDate } from '@hearth/clock';
import { badField } from '@hearth/errors';
import { isUuid } from '@hearth/ids';
import type { AisService } from '@hearth/proto/identity/v1/ais';
import type { UnaryHandler } from '@hearth/rpc';
import { toAiFacts } from '../../shared/domain/to-proto.ts';
import type { Context } from '../context.ts';

const most = 500;

/** Facts about AIs for other services, including AIs that were switched off. */
export const findAis =
  ({ ais, clock }: Context): UnaryHandler<typeof AisService.method.findAis> =>
  async ({ ids }) => {
    if (ids.length > most) throw badField('ids', `must be at most ${most}`);
    const found = await Promise.all(ids.map((id) => (isUuid(id) ? ais.find(id) : null)));
    const now = nowDate(clock);
    return { results: found.map((ai) => (ai === null ? {} : { facts: toAiFacts(ai, now) })) };
  };
