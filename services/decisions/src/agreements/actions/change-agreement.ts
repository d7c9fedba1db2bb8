import { createMachine, type Machine } from '@hearth/outbox';
import type { Caller } from '@hearth/rpc';
import type { HostParts } from '@hearth/runtime';
import { type AgreementRow, lockAgreement, updateAgreement } from '../db/agreements.ts';
import { agreementChanged, topicsOf, whatOf } from '../domain/events.ts';
import { itemNews } from '../domain/items.ts';
import { type Act, followsFrom, next } from '../domain/machine.ts';
import { seatsOf } from '../domain/seats.ts';
import type { AgreementCopies } from './home-agreements.ts';
import { stateDue } from './tell-homes.ts';

/** An act and the caller who performs it. */
export interface Change {
  act: Act;
  by?: Caller | undefined;
}

/** Changes agreements under a row lock, one act at a time. */
export type AgreementMachine = Machine<string, AgreementRow, Change, void>;

export function createAgreementMachine(
  { clock, commit, ids }: HostParts,
  copies: Pick<AgreementCopies, 'due'>,
): AgreementMachine {
  return createMachine<string, AgreementRow, Change, void>({
    commit,
    lock: lockAgreement,
    next(before, { act }) {
      const after = next(before, act, clock.now());
      if (after === before) return before;
      const { record, settlement, status, revision } = after;
      return {
        ...after,
        ...followsFrom(after),
        record: status === 'ready' ? (record ?? ids.uuid()) : record,
        settlement: status === 'settled' ? (settlement ?? ids.uuid()) : settlement,
        revision: revision + 1,
      };
    },
    async write(tx, { before, after, act: { act, by } }) {
      await updateAgreement(tx, after, seatsOf(after));
      tx.wake(...topicsOf(before), ...topicsOf(after));
      const what = whatOf(act, before, after);
      const news = what === null ? [] : [agreementChanged(after, what, by)];
      tx.announce(...itemNews(before, after), ...news, ...stateDue(copies, after));
    },
  });
}
