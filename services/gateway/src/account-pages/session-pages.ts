import { notFound } from '@hearth/errors';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { leaveAppPage, paths, removePasskeyPage } from '@hearth/web';
import {
  type Context,
  frameWithZone,
  noticeOn,
  signedIn,
  signedInLately,
  signInAfresh,
} from '../pages/module.ts';
import { findAccount, findSignIns, passkeyOf } from './own-account.ts';

const { endSession, removePasskey } = SignInService.method;

/** Ending sessions of one's own and the hold of an app, and removing a passkey. */
export function addSessionPages(context: Context): void {
  const { addPage, ask, clock } = context;
  const end = signedIn({
    async post({ param, person }) {
      const id = param('id');
      await ask(endSession, { id }, person);
      return noticeOn(paths.me, id === 'others' ? 'sessions_ended' : 'session_ended');
    },
  });
  const remove = signedIn({
    async get(request) {
      const { param, person } = request;
      const id = param('id');
      if (!signedInLately(person, clock.now())) return { goTo: signInAfresh(paths.removePasskey(id)) };
      const { passkeys } = await findSignIns(context, request);
      const passkey = passkeys.find((each) => each.id === id);
      if (passkey === undefined) throw notFound();
      return { html: removePasskeyPage(await frameWithZone(context, request), passkeyOf(passkey)) };
    },
    async post({ param, person }) {
      const id = param('id');
      if (!signedInLately(person, clock.now())) return { goTo: signInAfresh(paths.removePasskey(id)) };
      await ask(removePasskey, { id }, person);
      return noticeOn(paths.me, 'passkey_removed');
    },
  });
  const leave = signedIn({
    async get(request) {
      const { person } = request;
      if (person.guest) return { goTo: paths.addSignIn };
      if (!signedInLately(person, clock.now())) return { goTo: signInAfresh(paths.leaveApp) };
      const { appName } = await findAccount(context, request);
      if (appName === '') return { goTo: paths.me };
      return { html: leaveAppPage(request.frame, { app: appName }) };
    },
    async post({ person }) {
      if (!signedInLately(person, clock.now())) return { goTo: signInAfresh(paths.leaveApp) };
      await ask(PeopleService.method.endAppHold, { id: 'me' }, person);
      return noticeOn(paths.me, 'app_left');
    },
  });
  addPage('me_app_leave', paths.leaveApp, leave);
  addPage('me_session_end', '/me/sessions/:id/end', end);
  addPage('me_passkey_remove', '/me/passkeys/:id/remove', remove);
}
