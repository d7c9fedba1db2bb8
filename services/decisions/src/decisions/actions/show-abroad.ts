import { create } from '@bufbuild/protobuf';
import { type Decision, DecisionStarterSchema } from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { abroad } from '../../shared/domain/told.ts';
import type { WholeDecision } from '../db/decisions.ts';
import type { Clash, Proposal } from '../domain/decision.ts';
import { shownTo } from './show-to.ts';

/**
 * A decision as other homes read it: people by their addresses, and no one under 18.
 *
 * @param facts of its people and starter, by their uuids
 * @param viewer uuid of the person of another home who reads; '' for what all of them read
 */
export function showAbroad(
  found: WholeDecision,
  facts: ReadonlyMap<string, PersonFacts>,
  viewer: string,
): { shown: Decision; away: { home: string; address: string }[] } {
  const { row } = found;
  const { whole, isTold, addressOf, record, away } = abroad(found, facts);
  const starter = row.starter_person === null || isTold(row.starter_person);
  const askedBy = create(
    DecisionStarterSchema,
    starter ? { name: row.starter_name, address: row.starter_address } : {},
  );
  const name = (person: string) => facts.get(person)?.name ?? '';
  const view = { id: addressOf, name, viewer, sees: 'own', groupAi: '', askedBy } as const;
  const shown = shownTo(view, withoutOthers(whole, isTold));
  return { shown: { ...shown, record: record ? shown.record : undefined }, away };
}

/** Leaves those out of proposal and clash, too. */
function withoutOthers({ row, people }: WholeDecision, isTold: (person: string) => boolean): WholeDecision {
  return {
    row: {
      ...row,
      proposal: row.proposal && onlyOf(row.proposal, isTold),
      clash: row.clash && clashOf(row.clash, isTold),
    },
    people,
  };
}

function onlyOf(proposal: Proposal, isTold: (person: string) => boolean): Proposal {
  return {
    ...proposal,
    answers: proposal.answers.map((one) => ({ ...one, people: one.people.filter(isTold) })),
    bring: proposal.bring.filter(({ person }) => isTold(person)),
  };
}

function clashOf(clash: Clash, isTold: (person: string) => boolean): Clash {
  return {
    ...clash,
    sides: clash.sides.map((side) => ({ ...side, people: side.people.filter(isTold) })),
  };
}
