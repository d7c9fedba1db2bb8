import { isMinor } from '@hearth/people';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { Scope } from '@hearth/proto/options';
import { anonymous } from '@hearth/rpc';
import { factsById } from '../../shared/actions/facts-by-id.ts';
import type { Identity } from '../context.ts';

/** An AI's owner and rights, as identity knows them now. */
export interface WakeRights {
  /** uuid of its owner. */
  person: string | null;
  /** Whether it may read its wake-ups. */
  open: boolean;
  /** Revoked or deleted. */
  revoked: boolean;
}

/** The most AIs that one request to identity asks about. */
const most = 500;

/**
 * Reads past every cache, which may be older than the change that caused the call. The AIs of a person under
 * 18 read nothing while a guardian does not let AIs act.
 */
export async function findStanding(
  { ais, people }: Identity,
  ids: readonly string[],
): Promise<Map<string, WakeRights>> {
  const standing = new Map<string, WakeRights>();
  for (let from = 0; from < ids.length; from += most) {
    const asked = ids.slice(from, from + most);
    const { results } = await ais.findAis({ ids: asked }, { caller: anonymous });
    const persons = await factsById(
      results.flatMap(({ facts }) => facts?.owner || []),
      (ids) => people.findPeople({ ids }, { caller: anonymous }),
    );
    asked.forEach((ai, index) => {
      const facts = results[index]?.facts;
      if (facts === undefined || facts.revoked) {
        standing.set(ai, { person: null, open: false, revoked: true });
        return;
      }
      const person = facts.owner || null;
      const reads = facts.permissions.includes(Scope.READ);
      const open = reads && (person === null || letsAisAct(persons.get(person)));
      standing.set(ai, { person, open, revoked: false });
    });
  }
  return standing;
}

function letsAisAct(person: PersonFacts | undefined): boolean {
  return person !== undefined && (!isMinor(person) || person.aiShare);
}
