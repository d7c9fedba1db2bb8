import { fromJson, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { ValueSchema } from '@bufbuild/protobuf/wkt';
import { printId } from '@hearth/ids';
import { ApprovalsService, type AskPlanRequest } from '@hearth/proto/approvals/v1/approvals';
import { RequestRulesService } from '@hearth/proto/approvals/v1/request_rules';
import {
  type DecideRequestSchema,
  DecisionsService,
  QuestionKind,
} from '@hearth/proto/decisions/v1/decisions';
import { MeetingsService, type OfferTimesRequestSchema } from '@hearth/proto/decisions/v1/meetings';
import { PlansService, type ProposePlanRequestSchema } from '@hearth/proto/decisions/v1/plans';
import { AppDeliveriesService, type AskGuessRequest } from '@hearth/proto/delivery/v1/app_deliveries';
import { SendSourceService } from '@hearth/proto/delivery/v1/send_sources';
import { HomeItemsService } from '@hearth/proto/federation/v1/items';
import type { PersonFacts, PersonFactsSchema } from '@hearth/proto/identity/v1/people';
import { AgeBand } from '@hearth/proto/identity/v1/resources';
import { GroupPostsService, type PostOfferRequest } from '@hearth/proto/messages/v1/group_posts';
import { Delivery, MessagesService, type SendOfferRequest } from '@hearth/proto/messages/v1/messages';
import { Scope } from '@hearth/proto/options';
import type { Caller } from '@hearth/rpc';
import {
  asPerson,
  calledBy,
  createWorld,
  type FakeGroup,
  fake,
  fakePeers,
  ids,
  startService,
} from '@hearth/testkit';
import { decisions } from '../src/service.ts';

const { WHEN, CHOICE, BRING } = QuestionKind;

/** A person, calling through the app that holds them, or any other caller. */
export type Who = PersonFacts | Caller;
type Guess = { questionId: bigint; answer: JsonValue; reason: string };

/** Decisions in a home whose other services know the test's world. */
export async function startDecisions(env: Record<string, string> = {}) {
  const app = ids.uuid();
  const world = createWorld({ person: { app } });
  /** How apps guess, by the person's uuid. */
  const guesses = new Map<string, (request: AskGuessRequest) => Guess[]>();
  const guessing = fake(AppDeliveriesService, {
    askGuess: async (request) => ({
      guesses: (guesses.get(request.person)?.(request) ?? []).map((guess) => ({
        ...guess,
        answer: fromJson(ValueSchema, guess.answer),
      })),
    }),
  });
  /** The questions to organizers about plans. */
  const asked: AskPlanRequest[] = [];
  const asking = fake(ApprovalsService, {
    async askPlan(request) {
      asked.push(request);
      return {};
    },
  });
  /** The messages and posts that carry offers of times, and how that address receives them. */
  const sent: (SendOfferRequest & { id: string })[] = [];
  const posted: PostOfferRequest[] = [];
  const taken = new Map<string, () => Delivery | Promise<Delivery>>();
  /** uuids of the callers who have written to everyone. */
  const acquainted = new Set<string>();
  const messages = fake(MessagesService, {
    async sendOffer(request) {
      const away = request.to.indexOf('@') > 0;
      const delivery = (await taken.get(request.to)?.()) ?? (away ? Delivery.HELD : Delivery.DELIVERED);
      const id = printId('msg', ids.uuid());
      sent.push({ ...request, id });
      return { delivery, id };
    },
    knowsParty: async ({ owners }) => ({ known: owners.some((owner) => acquainted.has(owner)) }),
  });
  const posts = fake(GroupPostsService, {
    async postOffer(request) {
      posted.push(request);
      return {};
    },
  });
  /** An event to happen once, while blocks between people are checked. */
  const meanwhile: { happens?: () => Promise<unknown> } = {};
  const rules = fake(RequestRulesService, {
    async checkReach({ reaches }) {
      const { happens } = meanwhile;
      delete meanwhile.happens;
      await happens?.();
      return { reached: reaches.map(({ recipient }) => world.reach.get(recipient) ?? { how: 'inbox' }) };
    },
  });
  const meeting = [messages, posts, ...world.approvals, rules];
  const peers = fakePeers(world.identity, world.groups, world.federation, guessing, asking, ...meeting);
  const names = { HEARTH_HOME: 'localhost:8080', HEARTH_SITE_URL: 'http://localhost:8080' };
  const home = await startService([decisions], { peers, env: { ...names, ...env } });
  const client = home.client(DecisionsService);
  const plans = home.client(PlansService);
  const meetings = home.client(MeetingsService);
  const callerOf = (who: Who) => ('kind' in who ? who : asPerson(who));
  const by = (who: Who) => calledBy(client, callerOf(who));
  const plansBy = (who: Who) => calledBy(plans, callerOf(who));
  const meetingsBy = (who: Who) => calledBy(meetings, callerOf(who));
  return {
    ...home,
    app,
    world,
    peers,
    client,
    by,
    plansBy,
    meetingsBy,
    fromFederation: home.client(HomeItemsService, 'federation', 'decisions'),
    sends: home.client(SendSourceService, 'delivery', 'decisions'),
    sent,
    posted,
    taken,
    meanwhile,
    acquainted,
    asked,
    guesses,
    newPerson: world.newPerson,
    newFamily(facts: MessageInitShape<typeof PersonFactsSchema> = {}) {
      const guardian = world.newPerson();
      const child = world.newPerson({
        ageBand: AgeBand.CHILD,
        guardians: [guardian.id],
        aiShare: true,
        ...facts,
      });
      return { guardian, child };
    },
    /** That person's AI with the permission group. */
    newAi: (owner: PersonFacts, permissions = [Scope.READ, Scope.MESSAGE, Scope.GROUP]) =>
      world.asAi(world.newAi(owner, { permissions })),
    /** A group organized by its first member. */
    newGroup(members: readonly PersonFacts[], facts: Parameters<typeof world.newGroup>[1] = {}): FakeGroup {
      const groupAi = ids.uuid();
      const group = world.newGroup(members, { timeZone: 'Europe/Zurich', groupAi, ...facts });
      const [organizer] = members;
      if (organizer !== undefined) group.organizers.add(organizer.id);
      return group;
    },
    groupAiOf: (group: FakeGroup) => world.asAi(world.newAi(group, { id: group.facts.groupAi })),
    decide: (who: Who, group: FakeGroup, request: MessageInitShape<typeof DecideRequestSchema> = {}) =>
      by(who).decide({
        title: 'Dinner',
        group: printId('grp', group.facts.id),
        questions: dinner,
        ...request,
      }),
    propose: (who: Who, group: FakeGroup, request: MessageInitShape<typeof ProposePlanRequestSchema> = {}) =>
      plansBy(who).proposePlan({
        title: 'Rehearsal',
        group: printId('grp', group.facts.id),
        options: slots,
        ...request,
      }),
    offer: (who: Who, request: MessageInitShape<typeof OfferTimesRequestSchema>) =>
      meetingsBy(who).offerTimes({ title: 'A call', slots: calls, timeZone: 'Europe/Zurich', ...request }),
  };
}

/** Two evenings and a day. */
export const slots = [
  { startsAt: '2027-05-03T18:00', endsAt: '2027-05-03T20:00' },
  { startsAt: '2027-05-04T18:00', label: 'Late' },
  { date: '2027-05-05' },
];

/** Two mornings: an hour and half an hour. */
export const calls = [
  { startsAt: '2026-05-04T10:00' },
  { startsAt: '2026-05-05T10:00', endsAt: '2026-05-05T10:30' },
];

export const times = ['2027-05-03T18:00', '2027-05-04T18:00', '2027-05-05T19:00'];
/** The same slots as the home stores them, for Europe/Zurich. */
export const instants = ['2027-05-03T16:00:00Z', '2027-05-04T16:00:00Z', '2027-05-05T17:00:00Z'] as const;

export const dinner = [
  { kind: WHEN, prompt: 'Which evening?', options: times },
  { kind: CHOICE, prompt: 'What do we eat?', options: ['Pizza', 'Soup'] },
  { kind: BRING, prompt: 'What do you bring?' },
];

/** Answers to these questions, in order; undefined omits one. */
export const answers = (...given: (JsonValue | undefined)[]) =>
  given.flatMap((answer, index) =>
    answer === undefined ? [] : [{ questionId: index + 1, answer: fromJson(ValueSchema, answer) }],
  );

export const firm = (questionId: number, answer: JsonValue) => ({
  questionId,
  answer: fromJson(ValueSchema, answer),
  firm: true,
});

export const perId = (person: PersonFacts) => printId('per', person.id);
