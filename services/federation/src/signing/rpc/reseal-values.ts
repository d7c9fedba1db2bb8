import type { KeysService } from '@hearth/proto/federation/v1/keys';
import type { UnaryHandler } from '@hearth/rpc';
import type { Context } from '../context.ts';
import { homeKeyChanged } from '../domain/announcements.ts';
import { toSealState } from '../domain/to-seal-state.ts';

/** Asks every service to reseal its own values. */
export const resealValues =
  ({ commit, log, seals }: Context): UnaryHandler<typeof KeysService.method.resealValues> =>
  async ({ reason }, { caller }) => {
    await seals.ask();
    const state = toSealState(await seals.state());
    await commit(async (tx) =>
      tx.announce(homeKeyChanged({ kid: state.key!, uses: ['seal'], status: 'reseal' }, reason, caller)),
    );
    log.info({ key: state.key, reason }, 'everything is sealed anew');
    return state;
  };
