import { timestampFromMs } from '@bufbuild/protobuf/wkt';
import { AiStatus } from '@hearth/proto/common/v1/caller';
import type { AiFacts } from '@hearth/proto/identity/v1/ais';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import type { Chance } from '@hearth/testkit';
import type { startDecisions } from './start-decisions.ts';

/** AIs and the people who may claim them. */
export interface Owners {
  ais: readonly AiFacts[];
  adults: readonly PersonFacts[];
  child: PersonFacts;
  /** uuids of AIs that were switched off. */
  off: Set<string>;
}

/** Follows an AI (uuid) that has another owner, no owner, or is gone. */
interface Model {
  claimed(ai: string, person: string): void;
  unclaimed(ai: string, person: string): void;
  left(ai: string): void;
}

/** Claims an AI, undoes its claim, or switches it off; announces the change and describes it in words. */
export async function changeHands(
  home: Pick<Awaited<ReturnType<typeof startDecisions>>, 'clock' | 'publish' | 'world'>,
  { next, pick }: Chance,
  { adults, ais, child, off }: Owners,
  model: Model,
): Promise<string> {
  const on = ais.filter(({ id }) => !off.has(id));
  if (on.length === 0) return 'nothing';
  const ai = pick(on);
  const { id, name, owner } = ai;
  home.clock.advance(1_000);
  const at = timestampFromMs(home.clock.now());
  if (next(12) === 0) {
    off.add(id);
    home.world.changeAi(ai, { revoked: true });
    model.left(id);
    await home.publish({ case: 'aiRevoked', value: { ai: id, owner } }, { at });
    return `${name} is off`;
  }
  if (owner !== '') {
    home.world.changeAi(ai, { owner: '', status: AiStatus.UNCLAIMED });
    model.unclaimed(id, owner);
    const { address } = ai;
    await home.publish({ case: 'aiUnclaimed', value: { ai: { id, address, name }, owner } }, { at });
    return `${name} is no one's`;
  }
  const person = next(8) === 0 ? child : pick(adults);
  home.world.changeAi(ai, { owner: person.id, status: AiStatus.CLAIMED });
  if (person === child) model.left(id);
  else model.claimed(id, person.id);
  const value = { ai: { id }, status: 'claimed', person: person.id };
  await home.publish({ case: 'aiClaimed', value }, { at });
  return `${name} is ${person.name}'s`;
}
