import { create, fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, timestampFromMs, type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import {
  type ClashSchema,
  type DecisionAnswerSchema,
  DecisionSchema,
  type DecisionStarterSchema,
  type ProposalSchema,
  type Decision as Shown,
} from '@hearth/proto/decisions/v1/decisions';
import type { PersonFacts } from '@hearth/proto/identity/v1/people';
import { receiptLink } from '@hearth/receipts';
import type { Caller } from '@hearth/rpc';
import { viewerIdOf } from '../../shared/actions/viewer.ts';
import { findLinks, type Link } from '../../shared/db/links.ts';
import { speakersOf } from '../../shared/domain/member.ts';
import { goneName, goneStarter } from '../../shared/domain/starter.ts';
import type { Context } from '../context.ts';
import type { WholeDecision } from '../db/decisions.ts';
import {
  type Answer,
  approvers,
  type Clash,
  type Decision,
  hasAnswered,
  type Participant,
  type Proposal,
  waitingOn,
} from '../domain/decision.ts';
import { needs, questionKinds, statuses, verdicts } from '../domain/enum-names.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { answersTo, duplicates, plain } from '../domain/propose.ts';
import { courseOf } from '../domain/state.ts';

type Deps = Pick<Context, 'config' | 'database' | 'people' | 'sealer'>;

/** How one caller names the people of decisions. */
interface Names {
  id(person: string): string;
  name(person: string): string;
}

interface View extends Names {
  viewer: string;
  /** Sees all answers at once: an app that acts for no one, and the group AI. */
  sees: 'all' | 'own';
}

/** Decisions as the caller may see them, in that order. */
export async function showDecisions(
  context: Deps,
  wholes: readonly WholeDecision[],
  caller: Caller,
): Promise<Shown[]> {
  const ids = wholes.flatMap(({ row, people }) => [
    ...people.map(({ person }) => person),
    ...(row.starter_person === null ? [] : [row.starter_person]),
    ...(row.hidden_from === null ? [] : [row.hidden_from]),
  ]);
  const [facts, links] = await Promise.all([
    context.people.find(ids),
    caller.app === ''
      ? new Map<string, Link>()
      : findLinks(
          context.database.db,
          caller.app,
          'decision',
          wholes.map(({ row }) => row.id),
        ),
  ]);
  return wholes.map((whole) => show(context, whole, caller, facts, links.get(whole.row.id)));
}

export async function showDecision(context: Deps, whole: WholeDecision, caller: Caller): Promise<Shown> {
  const [shown] = await showDecisions(context, [whole], caller);
  return shown as Shown;
}

function show(
  context: Deps,
  whole: WholeDecision,
  caller: Caller,
  facts: ReadonlyMap<string, PersonFacts>,
  link: Link | undefined,
): Shown {
  const { config, sealer } = context;
  const { row } = whole;
  const course = courseOf(whole);
  const viewer = viewerIdOf(caller);
  const { named, ...names } = viewOf(context, facts, caller);
  const view: View = {
    ...names,
    viewer,
    sees: viewer === row.group_ai || viewer === caller.app ? 'all' : 'own',
  };
  const asked = course.people.filter((one) => one.asked);
  const past = row.status !== 'open' && row.status !== 'clash';
  return create(DecisionSchema, {
    id: row.number,
    title: row.title,
    status: statuses.valueOf(row.status),
    details: row.details ?? undefined,
    group: { id: printId('grp', row.group), name: row.group_name, address: `&${row.group_handle}` },
    askedBy: starterOf(whole, caller, named(row.starter_person ?? row.starter)),
    questions: row.questions.map(({ id, kind, prompt, options }) => ({
      id,
      kind: questionKinds.valueOf(kind),
      prompt,
      options: [...options],
    })),
    waitingOn: waitingOn(course).map(({ person }) => view.id(person)),
    peopleAsked: asked.length,
    peopleAnswered: asked.filter((one) => hasAnswered(course, one)).length,
    answers: answersOf(course, view),
    ...(past && row.proposal !== null && { proposal: proposalOf(whole, row.proposal, view) }),
    ...(row.clash !== null && { clash: clashOf(course, row.clash, view) }),
    needs: needs.valueOf(row.needs),
    deadline: timestampFromDate(row.deadline_at),
    at: timestampFromDate(row.started_at),
    timeZone: row.time_zone ?? undefined,
    why: row.why ?? undefined,
    ...(row.hidden_from !== null && { hiddenFrom: view.id(row.hidden_from) }),
    reviewOn: row.review_on ?? undefined,
    ...(row.settled_at !== null && { settledAt: timestampFromDate(row.settled_at) }),
    ...(row.signed_record !== null &&
      row.record !== null && {
        record: JSON.parse(row.signed_record),
        receipt: receiptLink(sealer, config.siteUrl, row.record),
      }),
    ...(link !== undefined && { outcome: { itemRef: link.item_ref, listRef: link.list_ref ?? undefined } }),
    revision: row.revision,
  });
}

export function viewOf(
  { people }: Pick<Deps, 'people'>,
  facts: ReadonlyMap<string, PersonFacts>,
  caller: Caller,
) {
  // A decision names the same few people many times.
  const shown = new Map<string, ReturnType<typeof people.show>>();
  const named = (id: string) => {
    const known = facts.get(id);
    if (known === undefined) return null;
    const person = shown.get(id) ?? people.show(known, caller);
    shown.set(id, person);
    return person;
  };
  const names: Names = {
    id: (id) => named(id)?.id ?? printId('per', id),
    name: (id) => named(id)?.name ?? goneName,
  };
  return { named, ...names };
}

function starterOf(
  { row }: WholeDecision,
  caller: Caller,
  person: { id: string; name: string; address: string; shielded: boolean } | null,
): MessageInitShape<typeof DecisionStarterSchema> {
  const byApp = caller.app !== '';
  if (row.starter_person !== null && person === null) return goneStarter;
  // The address of a child's AI holds the child's handle.
  if (row.starter_minor && person?.shielded)
    return { name: row.starter_name, address: person.address, ...(byApp && { id: person.id }) };
  const id = row.starter_kind === 'ai' ? printId('ai', row.starter) : person?.id;
  return { name: row.starter_name, address: row.starter_address, ...(byApp && id !== undefined && { id }) };
}

/** Those of the viewer and of whom they guard; all once theirs are given, or once no more are taken. */
function answersOf(course: Decision, view: View): MessageInitShape<typeof DecisionAnswerSchema>[] {
  const { people, questions, status } = course;
  const theirs = people.filter((one) => one.person === view.viewer || speakersOf(one).includes(view.viewer));
  const mine = theirs.filter(({ asked }) => asked);
  const open =
    status !== 'open' ||
    view.sees === 'all' ||
    (mine.length > 0 && mine.every((one) => hasAnswered(course, one)));
  return questions.flatMap((question) =>
    answersTo(question, open ? people : theirs).map(({ person, answer, firm, note, as, assumed, at }) => ({
      questionId: question.id,
      person: view.id(person),
      name: view.name(person),
      answer: jsonValue(answer),
      firm,
      ...(note !== '' && { note }),
      byAi: as === 'ai' && !assumed,
      assumed,
      at: timestampFromMs(at),
    })),
  );
}

function proposalOf(
  whole: WholeDecision,
  proposal: Proposal,
  view: View,
): MessageInitShape<typeof ProposalSchema> {
  const { row, people } = whole;
  const course = courseOf(whole);
  const { summary, when, where } = outcomeOf(row, proposal);
  const twice = duplicates(proposal.bring);
  return {
    version: proposal.version,
    by: proposal.by === row.group_ai ? printId('ai', proposal.by) : view.id(proposal.by),
    at: timestampFromMs(proposal.at),
    answers: proposal.answers.map(({ question, answer, people: suited }) => {
      const { kind } = row.questions.find(({ id }) => id === question)!;
      const said = answersTo(row.questions.find(({ id }) => id === question)!, people);
      const quotes = said.map((one) => `${view.name(one.person)}: ${String(one.answer)}`);
      const shown = kind === 'text' && answer === null ? quotes : answer;
      return {
        questionId: question,
        kind: questionKinds.valueOf(kind),
        ...(shown !== null && { answer: jsonValue(shown) }),
        people: suited.map(view.id),
        assumed: said.flatMap(({ person, assumed }) =>
          assumed && suited.includes(person) ? [view.id(person)] : [],
        ),
      };
    }),
    summary,
    ...(when !== null && { when }),
    ...(where !== '' && { where }),
    bring: proposal.bring.map(({ person, what, assumed }) => ({
      person: view.id(person),
      name: view.name(person),
      what,
      assumed,
      duplicate: twice.has(plain(what)),
    })),
    approvals: approvalsOf(course, view),
    ...(proposal.objectBy !== null && { objectBy: timestampFromMs(proposal.objectBy) }),
  };
}

/** Those whose approval it needs, and what others said of it. */
function approvalsOf(course: Decision, view: View) {
  const needed = new Set(approvers(course));
  return course.people
    .filter((one) => needed.has(one) || one.approval !== null)
    .map(({ person, approval }: Participant) => ({
      person: view.id(person),
      name: view.name(person),
      decision: verdicts.valueOf(approval?.decision ?? 'waiting'),
      ...(approval !== null && { at: timestampFromMs(approval.at), by: approval.as }),
      ...(approval !== null && approval.note !== '' && { note: approval.note }),
    }));
}

function clashOf(course: Decision, clash: Clash, view: View): MessageInitShape<typeof ClashSchema> {
  const question = course.questions.find(({ id }) => id === clash.question);
  return {
    question: question?.prompt ?? '',
    questionId: clash.question,
    people: clash.sides.flatMap(({ people }) => people.map(view.id)),
    waitingFor: course.status === 'clash' ? waitingOn(course).map(({ person }) => view.id(person)) : [],
    sides: clash.sides.map(({ answer, people, byAi }) => ({
      answer: jsonValue(answer),
      people: people.map(view.id),
      byAi,
    })),
    until: timestampFromMs(clash.until),
  };
}

function jsonValue(answer: Answer): Value {
  return fromJson(ValueSchema, answer as JsonValue);
}
