import { snapshotOf } from '@hearth/people';
import type { Signing, SigningParts } from '@hearth/receipts';
import { createCourseSigning } from '../../shared/actions/course-signing.ts';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import type { Proposal } from '../domain/decision.ts';
import { decisionAgreed } from '../domain/events.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { recordBody } from '../domain/record.ts';
import { kind } from './course.ts';

type DecisionSigningDeps = SigningParts & Pick<Context, 'people' | 'things'>;

export function createDecisionSigning(parts: DecisionSigningDeps): Signing<WholeDecision> {
  return createCourseSigning(parts, {
    kind,
    type: 'decision.outcome',
    namedIn: ({ people }) => people.map(({ person }) => person),
    bodyOf: recordBody,
    newsOf(whole, told, facts, by) {
      const proposal = whole.row.proposal as Proposal;
      const { summary, when, where } = outcomeOf(whole.row, proposal);
      const bring = proposal.bring.flatMap(({ person, what, assumed }) => {
        const known = facts.get(person);
        return known === undefined ? [] : [{ person: snapshotOf(known), what, assumed }];
      });
      return decisionAgreed(whole, { ...told, summary, when: when ?? '', where, bring }, by);
    },
  });
}
