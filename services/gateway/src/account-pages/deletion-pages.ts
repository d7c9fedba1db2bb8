import { isHearthError } from '@hearth/errors';
import { DeleteAccountRequestSchema } from '@hearth/proto/identity/v1/people';
import { type DeleteAccount, deleteAccountPage, paths } from '@hearth/web';
import {
  type Asked,
  type FormRequest,
  fieldErrors,
  fieldOf,
  type PageAnswer,
  signedIn,
  signedInLately,
  signInAfresh,
} from '../pages/module.ts';
import type { PeopleContext } from './context.ts';
import { findChild } from './family.ts';
import { ageBandOf, findAccount } from './own-account.ts';

/** An account that may be deleted from a page: one's own, or a child's. */
interface Subject extends Pick<DeleteAccount, 'child' | 'handle' | 'action' | 'back'> {
  /** As the operation names them. */
  id: string;
  /** It goes already, or somebody else has to say it. */
  settled: boolean;
}

type FindSubject = (context: PeopleContext, asked: Asked) => Promise<Subject>;

/** Deleting one's account, and that of a child. */
export function addDeletionPages(context: PeopleContext): void {
  for (const [name, path, find] of [
    ['me_delete', paths.deleteMe, findMe],
    ['child_delete', '/family/:id/delete', findMyChild],
  ] as const) {
    context.addPage({
      name,
      path,
      get: signedIn(async (asked) => show(context, asked, await find(context, asked))),
      post: signedIn<FormRequest>((asked) => remove(context, asked, find)),
    });
  }
}

async function findMe(context: PeopleContext, asked: Asked): Promise<Subject> {
  const { handle, deletesAt, ageBand } = (await findAccount(context, asked)).facts!;
  const settled = deletesAt !== undefined || ageBandOf(ageBand) === 'child';
  return { id: 'me', handle, action: paths.deleteMe, back: paths.me, settled };
}

async function findMyChild(context: PeopleContext, asked: Asked): Promise<Subject> {
  const { person, facts } = await findChild(context, asked);
  const { id, name } = person!;
  const { handle, deletesAt } = facts!;
  const [action, back] = [paths.deleteChild(id), paths.child(id)];
  return { id, child: name, handle, action, back, settled: deletesAt !== undefined };
}

function show(
  { clock, days }: PeopleContext,
  { request, person }: Asked,
  { settled, id: _, ...subject }: Subject,
  more: Partial<DeleteAccount> = {},
): PageAnswer {
  if (settled) return { goTo: subject.back };
  // A guest has no sign-in that could be repeated.
  const fresh = person.guest || signedInLately(person, clock.now());
  const html = deleteAccountPage(request.frame, {
    ...subject,
    days: days.deletion,
    signInFirst: fresh ? undefined : signInAfresh(subject.action),
    ...more,
  });
  return { html, status: more.errors === undefined ? 200 : 400 };
}

async function remove(
  context: PeopleContext,
  asked: Asked<FormRequest>,
  find: FindSubject,
): Promise<PageAnswer> {
  const { peers, reader } = context;
  const { request, person } = asked;
  const subject = await find(context, asked);
  const confirm = fieldOf(request, 'confirm');
  try {
    const message = reader.readMessage(DeleteAccountRequestSchema, { id: subject.id, confirm });
    await peers.people.deleteAccount(message, { caller: person });
    return { goTo: subject.back };
  } catch (error) {
    const errors = fieldErrors(error, { confirm: 'confirm' });
    if (errors !== undefined) return show(context, asked, subject, { confirm, errors });
    if (!isHearthError(error) || error.details.needsPerson !== true) throw error;
    return show(context, asked, subject, { signInFirst: signInAfresh(subject.action) });
  }
}
