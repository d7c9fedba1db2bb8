import { create } from '@bufbuild/protobuf';
import { notFound } from '@hearth/errors';
import { t } from '@hearth/i18n';
import { CallerSchema, Proof, Via } from '@hearth/proto/common/v1/caller';
import { type Caller, callerKinds } from '@hearth/rpc';
import { linkTo, messagePage, paths } from '@hearth/web';
import {
  type Answering,
  type Context,
  freshSignIn,
  isOperator,
  type Own,
  type OwnForm,
  type Page,
  type PageAnswer,
  signInAfresh,
} from '../pages/module.ts';

/** The operator as services know them, with the address of the person for the audit log. */
export type AsOperator<R> = R & { operator: Caller };

/**
 * A page for the operators that HEARTH_OPERATORS names; others get 404. Operators need a sign-in with a passkey, and for
 * acts one of the last ten minutes.
 */
export function forOperators(
  context: Pick<Context, 'clock' | 'config'>,
  page: { get: Answering<AsOperator<Own>, PageAnswer>; post?: Answering<AsOperator<OwnForm>, PageAnswer> },
): Page<Own, OwnForm> {
  const checked =
    <R extends Own>(answer: Answering<AsOperator<R>, PageAnswer>) =>
    (request: R): Promise<PageAnswer> | PageAnswer => {
      const { person, frame, exchange } = request;
      if (!isOperator(context.config, person)) throw notFound();
      const { method, url = paths.operator } = exchange.request;
      if (person.proof !== Proof.PASSKEY) return { html: askForPasskey(frame, url), status: 403 };
      const goTo = method === 'POST' ? freshSignIn(context, person, url) : undefined;
      return goTo === undefined ? answer({ ...request, operator: operatorOf(person) }) : { goTo };
    };
  return { get: checked(page.get), ...(page.post && { post: checked(page.post) }) };
}

const askForPasskey = (frame: Own['frame'], next: string) =>
  messagePage(frame, {
    title: t('sign-in.passkey'),
    words: t('operator.passkey-more', {
      link: linkTo(`${paths.newPasskey}?${new URLSearchParams({ next })}`),
    }),
    link: { words: t('common.sign-in-again'), href: signInAfresh(next) },
    tone: 'info',
  });

function operatorOf({ address }: Caller): Caller {
  return create(CallerSchema, { kind: callerKinds.OPERATOR, name: 'operator', address, via: Via.WEB });
}
