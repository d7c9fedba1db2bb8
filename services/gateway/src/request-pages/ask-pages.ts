import { hash } from 'node:crypto';
import { isHearthError, notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import {
  AnswerDecision,
  type Approval,
  ApprovalKind,
  ApprovalStatus,
  ApprovalsService,
} from '@hearth/proto/approvals/v1/approvals';
import { type AskPage, askPage, oneOf, paths } from '@hearth/web';
import { splitTarget } from '../http/module.ts';
import {
  type Context,
  type FormRequest,
  fieldErrors,
  type PageAnswer,
  type PageRequest,
  shown,
  signInFirst,
} from '../pages/module.ts';
import { askView } from './ask-view.ts';
import { frameOfRequests } from './frame.ts';
import { isTooLate, unknownAct } from './request-acts.ts';
import { proposedRules } from './request-items.ts';

const { findByMailKey, getApproval, replyApproval, answerByMail } = ApprovalsService.method;

const decisions = ['approved', 'declined'] as const;
const fieldsOfPage = { answer: 'answer', note: 'note' };

/** An ask as the viewer may see it, and what they may do with it. */
type Found = Pick<AskPage, 'canAnswer' | 'mail'> & { approval: Approval; viewer: string };

/**
 * The page of an ask, for signed-in people and for those with the key in an email's link. GET never answers
 * the ask; only the page's button does.
 */
export function addAskPages(context: Context): void {
  context.addPage('ask', '/a/:id', {
    opensByLink: true,
    async get(request) {
      const found = await find(context, request, request.query.get('k') ?? '');
      if (found === null) return signInFirst(splitTarget(request.exchange.request.url ?? paths.front).path);
      return await show(context, request, found, justDone(request.query));
    },
    async post(request) {
      const key = request.field('k');
      if (key === '' && request.visit.person === null) return signInFirst(paths.ask(idOf(request)));
      return await answer(context, request, key);
    },
  });
}

const idOf = (request: PageRequest) => request.param('id');

const keyHashOf = (key: string) => hash('sha256', key, 'buffer');

/** The notice named in the page's query; it changes nothing else. */
function justDone(query: URLSearchParams): Partial<AskPage> {
  switch (query.get('done')) {
    case 'answered':
      return { answered: true };
    case 'late':
      return { tooLate: true };
    case 'changed':
      return { changed: true };
    default:
      return {};
  }
}

/** Null for a visitor who must sign in first; throws not_found if the ask is not theirs. */
async function find(context: Context, request: PageRequest, key: string): Promise<Found | null> {
  const { ask, send } = context;
  const { caller, person } = request.visit;
  if (key !== '') {
    // The link decides who answers, whoever is signed in.
    const wanted = { approval: idOf(request), keyHash: keyHashOf(key) };
    const { approval, email } = await ask(findByMailKey, wanted, caller);
    if (approval === undefined) throw notFound();
    const canAnswer =
      approval.status === ApprovalStatus.WAITING &&
      approval.people.some(({ to, decision }) => to === email && decision === AnswerDecision.WAITING);
    return { approval, viewer: email, canAnswer, mail: { email, key } };
  }
  if (person === null) return null;
  const approval = await send(getApproval, { id: idOf(request) }, person);
  const canAnswer = approval.status === ApprovalStatus.WAITING && approval.toYou === true;
  return { approval, viewer: person.address, canAnswer };
}

async function show(
  context: Context,
  request: PageRequest,
  { approval, viewer, ...found }: Found,
  more: Partial<AskPage>,
): Promise<PageAnswer> {
  const { kind, id } = approval;
  const { person } = request.visit;
  const isProposal = kind === ApprovalKind.RULES && found.canAnswer && person !== null;
  const [frame, rules] = await Promise.all([
    frameOfRequests(context, request),
    isProposal ? proposedRules(context.ask, id, person) : undefined,
  ]);
  const ask = { ...askView(approval, viewer, context.config.siteUrl), rules };
  return shown(askPage(frame, { ask, nowMs: context.clock.now(), ...found, ...more }), more);
}

async function answer(context: Context, request: FormRequest, key: string): Promise<PageAnswer> {
  const values = { answer: request.field('answer'), note: request.field('note') };
  const again = async (more: (found: Found) => Partial<AskPage>) => {
    const found = await find(context, request, key);
    if (found === null) throw notFound();
    return await show(context, request, found, { values, ...more(found) });
  };
  const toPage = (done: string) => {
    const query = new URLSearchParams({ ...(key !== '' && { k: key }), done });
    return { goTo: `${paths.ask(idOf(request))}?${query}` };
  };
  try {
    await reply(context, request, key);
    return toPage('answered');
  } catch (error) {
    if (isHearthError(error) && error.details.code === 'ask_changed') {
      return { ...(await again(() => ({ changed: true }))), status: 400 };
    }
    const errors = fieldErrors(error, fieldsOfPage);
    if (errors !== undefined)
      return await again(({ approval }) => ({ errors: ownWords(errors, values.answer, approval) }));
    // An ask that was not found gets no "too late" notice.
    if (isTooLate(error) && isHearthError(error) && error.kind !== 'not_found') return toPage('late');
    throw error;
  }
}

/** Keeps text by others out of the home's own messages. */
function ownWords(
  errors: NonNullable<AskPage['errors']>,
  given: string,
  { choices }: Found['approval'],
): NonNullable<AskPage['errors']> {
  if (errors.answer === undefined || given !== '') return errors;
  const missing = choices.length > 0 ? t('ask.choice-missing') : t('ask.answer-missing');
  return { ...errors, answer: missing };
}

async function reply({ ask, read }: Context, request: FormRequest, key: string): Promise<void> {
  const decision = oneOf(decisions, request.field('decision'));
  if (decision === undefined) throw unknownAct();
  const message = read(replyApproval, {
    id: idOf(request),
    decision,
    // A refusal chooses no option.
    ...(decision === 'approved' && request.given('answer')),
    ...request.given('note', 'ask_digest'),
  });
  const { caller } = request.visit;
  if (key === '') await ask(replyApproval, message, caller);
  else {
    const { id: approval, decision, answer, note, askDigest } = message;
    const said = { approval, keyHash: keyHashOf(key), decision, answer, note, askDigest };
    await ask(answerByMail, said, caller);
  }
}
