import type { Tx } from '@hearth/db';
import { unavailable } from '@hearth/errors';
import { isMinor } from '@hearth/people';
import type { Caller } from '@hearth/rpc';
import type { Host } from '@hearth/runtime';
import { lockOwners, type Owned } from '../db/hands.ts';

/** An AI has another owner than the one it was looked up with. */
export class ChangedHands extends Error {
  override readonly name = 'ChangedHands';
  /** uuid of the owner of the AI that calls, if that changed; null without one. */
  readonly owner: string | null | undefined;

  constructor(owner?: string | null) {
    super('an AI changed hands');
    this.owner = owner;
  }
}

/** How often an act is looked at anew because an AI changed hands meanwhile. */
const mostAgain = 3;

/**
 * Performs an act of the caller; if it throws `ChangedHands`, again as the present owner's AI. The gateway
 * resolved the credential before the change.
 *
 * @throws unavailable if hands keep changing, and what the act throws
 */
export async function asOwner<Result>(
  { people }: Pick<Host, 'people'>,
  caller: Caller,
  act: (caller: Caller) => Promise<Result>,
): Promise<Result> {
  let now = caller;
  for (let again = 0; ; again += 1) {
    try {
      return await act(now);
    } catch (error) {
      if (!(error instanceof ChangedHands)) throw error;
      const { owner } = error;
      // The AI of a person under 18 never acts as anyone else's.
      if (again === mostAgain || (owner !== undefined && now.minor))
        throw unavailable('an AI is changing hands; try again in a moment');
      if (owner !== undefined) {
        const facts = owner === null ? null : await people.findOne(owner);
        now = { ...now, person: owner ?? '', minor: facts !== null && isMinor(facts) };
      }
    }
  }
}

/**
 * Locks the owners of local AIs for the transaction.
 *
 * @param caller its uuid
 * @throws ChangedHands unless they are still those that were looked up
 */
export async function requireOwners(tx: Tx, ais: readonly Owned[], caller: string): Promise<void> {
  const changed = changedHands(await lockOwners(tx, ais), ais, caller);
  if (changed !== undefined) throw changed;
}

/** The refusal if one of the AIs isn't its owner's any more. @param owners now */
export function changedHands(
  owners: ReadonlyMap<string, Owned>,
  ais: readonly Owned[],
  caller: string,
): ChangedHands | undefined {
  const changed = ais.find(({ ai, person }) => owners.get(ai)?.person !== person);
  if (changed === undefined) return undefined;
  return new ChangedHands(changed.ai === caller ? (owners.get(caller)?.person ?? null) : undefined);
}
