import type { OAuthService } from '@hearth/proto/identity/v1/oauth';
import type { UnaryHandler } from '@hearth/rpc';
import { listLiveAis } from '../../shared/db/ais.ts';
import { childrenOf, requireConsenter } from '../actions/owners.ts';
import type { Context } from '../context.ts';
import { toSpeaker } from '../domain/to-grant.ts';

const mostListed = 500;

/** The person's own AIs, and the AIs of wards that they let AIs act for. */
export const listSpeakers =
  (context: Context): UnaryHandler<typeof OAuthService.method.listSpeakers> =>
  async (_request, { caller }) => {
    const person = await requireConsenter(context, caller);
    const children = (await childrenOf(context, person.id)).filter(({ aiShare }) => aiShare);
    const owners = [person, ...children].map(({ id }) => id);
    const ais = await Promise.all(
      owners.map((owner) => listLiveAis(context.database.db, { owner }, null, mostListed)),
    );
    return { speakers: ais.flat().map(toSpeaker) };
  };
