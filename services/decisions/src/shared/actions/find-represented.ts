import { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import { here, type Member, speakersOf } from '../domain/member.ts';
import type { Deps } from './deps.ts';

/** uuids of the people who have an AI that can answer. */
export async function findRepresented(
  { peers }: Pick<Deps, 'peers'>,
  people: readonly Member[],
): Promise<Set<string>> {
  const asked = [...new Set(here(people).flatMap((member) => (member.asked ? speakersOf(member) : [])))];
  const request = { people: asked, permission: Scope.GROUP };
  const { people: represented } = await peers.ais.findRepresented(request, { caller: anonymous });
  return new Set(represented);
}
