import { notFound } from '@hearth/errors';
import { PeopleService } from '@hearth/proto/identity/v1/people';
import { SignInService } from '@hearth/proto/identity/v1/sign_in';
import { leaveAppPage, paths, removePasskeyPage } from '@hearth/web';
import { type Context, frameWithZone, noticeOn, signedInAfresh } from '../pages/module.ts';
import { findAccount, findSignIns, passkeyOf } from './own-account.ts';

const { endSession, removePasskey } = SignInService.method;

/** Ends sessions, removes passkeys, and revokes an app's access to the account. */
export function addSessionPages(context: Context): void {
  const { addOwnPage, addPage, ask } = context;
  addOwnPage('me_session_end', '/me/sessions/:id/end', {
    async post({ param, person }) {
      const id = param('id');
      await ask(endSession, { id }, person);
      return noticeOn(paths.me, id === 'others' ? 'sessions_ended' : 'session_ended');
    },
  });
  const remove = signedInAfresh(context, ({ param }) => paths.removePasskey(param('id')), {
    async get(request) {
      const { passkeys } = await findSignIns(context, request);
      const passkey = passkeys.find(({ id }) => id === request.param('id'));
      if (passkey === undefined) throw notFound();
      return { html: removePasskeyPage(await frameWithZone(context, request), passkeyOf(passkey)) };
    },
    async post({ param, person }) {
      await ask(removePasskey, { id: param('id') }, person);
      return noticeOn(paths.me, 'passkey_removed');
    },
  });
  const leave = signedInAfresh(context, () => paths.leaveApp, {
    async get(request) {
      const { appName } = await findAccount(context, request);
      if (appName === '') return { goTo: paths.me };
      return { html: leaveAppPage(request.frame, { app: appName }) };
    },
    async post({ person }) {
      await ask(PeopleService.method.endAppHold, { id: 'me' }, person);
      return noticeOn(paths.me, 'app_left');
    },
  });
  addPage('me_app_leave', paths.leaveApp, leave);
  addPage('me_passkey_remove', '/me/passkeys/:id/remove', remove);
}
