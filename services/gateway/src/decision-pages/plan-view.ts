import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type ListPlanPeopleResponse,
  PlanStatusSchema,
  type Plan as Shown,
  type PlanOption as ShownOption,
  type Stance,
  StanceKind,
} from '@hearth/proto/decisions/v1/plans';
import { type Plan, type PlanOption, type PlanPage, type PlanStance, speaksFor } from '@hearth/web';
import { msOf, nameOf, receiptPath } from '../pages/module.ts';

/** A plan as its page shows it. */
export function planView(shown: Shown, part: ListPlanPeopleResponse, siteUrl: string): Plan {
  const { id, title, details, where, timeZone, settledOption, revision, hiddenFrom, reason, disputed } =
    shown;
  return {
    ...{ id, title, details, where, timeZone, settledOption, revision, reason, disputed },
    status: nameOf<Plan['status']>(PlanStatusSchema, shown.status ?? 0, 'open'),
    groupName: part.group?.name ?? '',
    groupAddress: part.group?.address ?? '',
    startedBy: { name: part.proposer?.name ?? '', address: part.proposer?.address ?? '' },
    options: shown.options.map(optionView),
    people: part.people.map(
      ({ person, name, asked, answered, isCaller, spokenFor, guarded, picked, waiting }) => ({
        ...{ id: person, name, asked, answered, spokenFor, guarded, picked, waiting },
        isViewer: isCaller,
      }),
    ),
    isClash: shown.clashAt !== undefined,
    atMs: msOf(shown.createdAt) ?? 0,
    deadlineMs: msOf(shown.deadline) ?? 0,
    why: whys.find((why) => why === shown.why),
    hiddenFrom: part.hiddenFrom ?? hiddenFrom,
    settledAtMs: msOf(shown.settledAt),
    receipt: receiptPath(shown.receipt, siteUrl),
    runs: part.starter || part.organizer,
  };
}

const whys = ['past', 'group_archived', 'no_people', 'declined', 'cancelled'] as const;

function optionView({ id, label, startsAt, endsAt, date, stances, chosen }: ShownOption): PlanOption {
  return {
    ...{ id, label, chosen },
    time: date ?? (startsAt === undefined ? '' : timestampDate(startsAt).toISOString()),
    endsAt: endsAt && timestampDate(endsAt).toISOString(),
    stances: stances.map(stanceView),
  };
}

function stanceView({ person, stance, note, by }: Stance): PlanStance {
  return {
    ...{ person, note },
    stance: words[stance] ?? 'works',
    by: by === undefined ? undefined : by === 'ai' || by.includes('.ai-') ? 'ai' : 'guardian',
  };
}

const words: Partial<Record<StanceKind, PlanStance['stance']>> = {
  [StanceKind.DOESNT_WORK]: 'not',
  [StanceKind.APPROVE]: 'approve',
};

/** The initial values of the answer form: the stances of the viewer, or else of the first child they answer for. */
export function valuesOf(plan: Plan): PlanPage['values'] {
  const theirs = speaksFor(plan);
  const first = theirs.find(({ isViewer }) => isViewer) ?? theirs[0];
  return Object.fromEntries(
    plan.options.flatMap(({ id, stances }) => {
      const said = stances.find(({ person }) => person === first?.id);
      if (said === undefined) return [];
      const note = said.note === undefined ? [] : [[`note-${id}`, said.note] as const];
      return [[`o${id}`, said.stance] as const, ...note];
    }),
  );
}
