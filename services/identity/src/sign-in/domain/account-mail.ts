import { quoted, withoutLinks } from '@hearth/addresses';
import type { AccountMailKind } from '../../shared/db/account-mails.ts';

interface About {
  what: AccountMailKind;
  /** The name of the app, or the day on which the account goes, in words; on a line below, why the operator deletes it. */
  detail: string;
  home: string;
  siteUrl: string;
}

const longestName = 60;

/** Tells a person what happened to their account: plain text, in which no name of an app is a link. */
export function accountMail({ what, detail, home, siteUrl }: About): { subject: string; text: string } {
  const [named = '', reason = ''] = detail.split('\n');
  const { subject, happened } = words(home, withoutLinks(named, longestName))[what];
  const own = [
    `You did this? Then there is nothing to do.`,
    `It was not you? Sign in and look after your account: end other sessions, remove what you do not know, and ` +
      `change how you sign in.\n${siteUrl}/me`,
  ];
  const byOperator = [`The people who run ${home} did this:`, quoted(reason), `${siteUrl}/me`];
  return {
    subject,
    text: [
      happened,
      ...(reason === '' ? own : byOperator),
      `This mail was sent because ${home} has this address for an account, or had it until now.`,
    ].join('\n\n'),
  };
}

const words = (
  home: string,
  detail: string,
): Record<AccountMailKind, { subject: string; happened: string }> => ({
  email_changed: {
    subject: `Your e-mail address for ${home} was changed`,
    happened: `Your account on ${home} is signed in to with another e-mail address from now on, and not with this one. All other sessions of the account were ended.`,
  },
  passkey_added: {
    subject: `A passkey was added to your account on ${home}`,
    happened: `Your account on ${home} can be signed in to with a new passkey. All other sessions of the account were ended.`,
  },
  passkey_removed: {
    subject: `A passkey of your account on ${home} was removed`,
    happened: `A passkey of your account on ${home} signs in no more. All other sessions of the account were ended.`,
  },
  app_holds: {
    subject: `${detail} holds your account on ${home}`,
    happened: `The app ${detail} holds your account on ${home} from now on: it can act for you there. You can end that at any time on the page of your account.`,
  },
  app_let_go: {
    subject: `${detail} does not hold your account on ${home} any more`,
    happened: `The app ${detail} cannot act for you on ${home} any more. Your own sign-in counts.`,
  },
  closing: {
    subject: `Your account on ${home} is to be deleted`,
    happened: `Your account on ${home} will be deleted on ${detail}, with all that belongs to it. Until then you can keep it, on the page of your account.`,
  },
  child_added: {
    subject: `You made an account for a child on ${home}`,
    happened: `An account for a child was made on ${home}, with you as the guardian. The page of your family shows it; you can delete it there.`,
  },
});
