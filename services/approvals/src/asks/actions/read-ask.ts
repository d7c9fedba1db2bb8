import { timestampDate } from '@bufbuild/protobuf/wkt';
import { badField, forbidden, notFound } from '@hearth/errors';
import { OutboundError } from '@hearth/guarded-http';
import { sizeOf } from '@hearth/limits';
import { ApprovalKind, type AskApprovalRequest, Needs } from '@hearth/proto/approvals/v1/approvals';
import type { GroupFacts } from '@hearth/proto/groups/v1/groups';
import { type Call, type Caller, callerKinds } from '@hearth/rpc';
import { kindNameOf } from '../../shared/domain/request-kinds.ts';
import type { Context } from '../context.ts';
import { checkQuestion, expiryOf, namedIn } from '../domain/asked.ts';
import { kinds } from '../domain/enum-names.ts';
import { type AskContent, blankContent } from './ask-rows.ts';
import type { AskerHere } from './find-asker.ts';
import { type About, findAbout, findGroup } from './find-group.ts';
import { personRecipient, type Recipient, readRecipients } from './read-recipients.ts';

/** A requested ask with everything it refers to. */
export interface ReadAsk {
  content: AskContent;
  recipients: Recipient[];
  about: About | null;
}

/** @throws bad_field, not_found or forbidden for an invalid request */
export async function readAsk(
  context: Context,
  request: AskApprovalRequest,
  asker: AskerHere,
  call: Call,
): Promise<ReadAsk> {
  const kind = readKind(request, call.caller);
  const named = namedIn(request);
  checkQuestion(request.choices, request.freeText === true);
  const times = readTimes(context, request);
  const callback = readCallback(context, request.callback);

  const group = request.group === undefined ? null : await findGroup(context, request.group, asker, call);
  const about = await readAbout(context, request, kind, group, call);
  const field = request.to.length > 0 ? 'to' : 'people';
  const given = await readRecipients(context, named, field, call);
  const recipients = about === null ? given : guardiansOf(about, given, asker, field);
  if (recipients.length === 0) throw badField('to', 'name at least one whom you ask');
  if (recipients.some(({ id }) => id === asker.party.id))
    throw badField(field, 'is yourself; ask somebody else');

  const content: AskContent = {
    ...blankContent,
    id: context.ids.uuid(),
    kind: kinds.nameOf(kind),
    request_kind: kindNameOf(request.requestKind),
    title: request.title,
    details: request.details ?? null,
    choices: request.choices,
    free_text: request.freeText === true,
    needs: request.needs === Needs.ALL ? 'all' : 'any',
    about: about?.child.id ?? null,
    ...groupColumns(group),
    item_ref: request.itemRef ?? null,
    item_app: request.itemRef === undefined ? null : call.caller.app,
    preview: request.preview ?? null,
    callback,
    ...times,
  };
  return { content, recipients, about };
}

export function groupColumns(group: Pick<GroupFacts, 'id' | 'handle' | 'name' | 'app'> | null) {
  return {
    group: group?.id ?? null,
    group_handle: group?.handle ?? null,
    group_name: group?.name ?? null,
    group_app: group?.app || null,
  };
}

/** Some fields and kinds are reserved for apps, which ask for people they manage. */
function readKind(request: AskApprovalRequest, caller: Caller): ApprovalKind {
  const { kind = ApprovalKind.ASK, itemRef, preview } = request;
  if (caller.app === '') {
    for (const [field, value] of Object.entries({ item_ref: itemRef, preview })) {
      if (value !== undefined) throw badField(field, 'is for apps; leave it out');
    }
  }
  if (kind === ApprovalKind.ASK) return kind;
  if (caller.app === '' || caller.kind !== callerKinds.PERSON)
    throw forbidden('kind: only an app asks about photos and joining, for a person whom it holds');
  return kind === ApprovalKind.JOIN ? ApprovalKind.JOIN_REQUEST : kind;
}

function readTimes({ clock, limits }: Context, { expiresAt }: AskApprovalRequest) {
  const asked_at = new Date(clock.now());
  const days = { usual: sizeOf(limits, 'usual_ask_days'), most: sizeOf(limits, 'ask_days') };
  const expires_at = expiryOf(expiresAt === undefined ? null : timestampDate(expiresAt), asked_at, days);
  return { asked_at, expires_at };
}

function readCallback({ http }: Context, callback: string | undefined): string | null {
  if (callback === undefined) return null;
  try {
    return http.check(callback).href;
  } catch (error) {
    if (error instanceof OutboundError) throw badField('callback', error.message);
    throw error;
  }
}

async function readAbout(
  context: Context,
  { about }: AskApprovalRequest,
  kind: ApprovalKind,
  group: GroupFacts | null,
  call: Call,
): Promise<About | null> {
  const aboutHeld = kind !== ApprovalKind.ASK;
  if (about === undefined) {
    if (aboutHeld) throw badField('about', 'say whom it is about: a person under 18 whom you hold');
    return null;
  }
  if (group === null && call.caller.app === '')
    throw badField('group', 'give the group as well, in which you and they are');
  const found = await findAbout(context, about, group, call);
  if (aboutHeld && found.child.app !== call.caller.app) throw notFound();
  return found;
}

/** An ask about a child goes to the child's guardians only. */
function guardiansOf(
  { guardians }: About,
  given: readonly Recipient[],
  asker: AskerHere,
  field: string,
): Recipient[] {
  const ids = new Set(guardians.map(({ id }) => id));
  if (given.some(({ id }) => id === null || !ids.has(id)))
    throw badField(field, 'is no guardian of theirs; leave it out and it goes to the guardian');
  const others = guardians.filter(({ id }) => id !== asker.party.id);
  if (others.length === 0) throw badField('about', 'you are their guardian, so there is nobody to ask');
  return others.map(personRecipient);
}
