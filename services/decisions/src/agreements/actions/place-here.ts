import { type CopyState, momentOfNo } from '@hearth/home-acts';
import type { Caller } from '@hearth/proto/common/v1/caller';
import { type AgreementSchema, AgreementStatus } from '@hearth/proto/decisions/v1/agreements';
import { type ReachedHere, reachHere } from '../../shared/actions/reach-here.ts';
import type { Context } from '../context.ts';
import type { Side } from '../domain/agreement.ts';
import { sideFor } from './read-sides.ts';

type State = CopyState<typeof AgreementSchema>;
type Deps = Pick<Context, 'clock' | 'ids' | 'peers' | 'random'>;

/** The AIs of this home that are sides, by the request rules of their people; null as `reachHere`. */
export async function placeHere(
  context: Deps,
  state: State,
  from: Caller,
): Promise<{ sides: Side[]; firstContacts: number } | null> {
  const { message } = state.after;
  const named = new Set(message.sides.slice(1).map(({ address }) => address));
  const ais = state.to.filter(({ address, person }) => !person && named.has(address));
  // One that is over when it is first heard of waits for no one.
  const over = message.status !== AgreementStatus.OPEN;
  const all = await reachHere(context, state, from, ais, { count: true, items: 1, over });
  if (all === null) return null;
  const sides = ais.map((ai, index): Side => {
    const reached = all.reached[index] as ReachedHere;
    return {
      ...sideFor(ai, reached),
      told: true,
      approval: message.needsOwners && ai.owner !== '' ? context.ids.uuid() : null,
      ...(reached.how === 'declined' && { noAt: momentOfNo(context).getTime() }),
    };
  });
  return { sides, firstContacts: all.firstContacts };
}
