import { notFound } from '@hearth/errors';
import type { Commit, UnitOfWork } from './commit.ts';

export interface MachineOptions<Key, State, Act, Done> {
  commit: Commit;
  /** Reads the thing and locks its row until the commit; null if there is none. */
  lock(tx: UnitOfWork, key: Key): Promise<State | null>;
  /**
   * The state after the act, by pure rules; the same object if nothing changes.
   *
   * @throws if the state does not allow the act
   */
  next(state: State, act: Act): State;
  /** Writes and announces the change. Not called if nothing changed. */
  write(tx: UnitOfWork, change: { before: State; after: State; act: Act }): Promise<Done>;
}

/** A state machine over rows: each act locks, decides, writes and announces in one transaction. */
export interface Machine<Key, State, Act, Done> {
  /**
   * Locks the thing and applies the act that `decide` chooses for its current state; null changes nothing.
   * Concurrent acts are serialized.
   *
   * @throws not_found if there is no such thing, and what `decide` and `next` throw
   */
  act(
    key: Key,
    decide: (state: State, tx: UnitOfWork) => Promise<Act | null> | Act | null,
  ): Promise<Acted<State, Done>>;
  /** Applies an act in a transaction that already holds the lock. */
  take(tx: UnitOfWork, state: State, act: Act): Promise<Acted<State, Done>>;
  /**
   * Locks the thing for work of more than one act.
   *
   * @throws not_found if there is no such thing
   */
  locked<T>(key: Key, work: (tx: UnitOfWork, state: State) => Promise<T>): Promise<T>;
}

export interface Acted<State, Done> {
  state: State;
  /** The result of `write`; undefined if nothing changed. */
  done: Done | undefined;
}

export function createMachine<Key, State, Act, Done>({
  commit,
  lock,
  next,
  write,
}: MachineOptions<Key, State, Act, Done>): Machine<Key, State, Act, Done> {
  async function take(tx: UnitOfWork, before: State, act: Act): Promise<Acted<State, Done>> {
    const after = next(before, act);
    return { state: after, done: after === before ? undefined : await write(tx, { before, after, act }) };
  }

  const locked: Machine<Key, State, Act, Done>['locked'] = (key, work) =>
    commit(async (tx) => {
      const state = await lock(tx, key);
      if (state === null) throw notFound();
      return await work(tx, state);
    });

  return {
    take,
    locked,
    act: (key, decide) =>
      locked(key, async (tx, state) => {
        const act = await decide(state, tx);
        return act === null ? { state, done: undefined } : await take(tx, state, act);
      }),
  };
}
