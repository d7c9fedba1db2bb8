import { badRequest } from '@hearth/errors';

/** Patterns of keys and tokens that AIs hold, with the words for each. */
const shapes: readonly (readonly [words: string, shape: RegExp])[] = [
  ['a key of this home', /hearth_(?:ai|app|op|ps)_/i],
  ['a secret of webhooks', /whsec_/i],
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY/],
  ['a key of Anthropic, OpenAI or OpenRouter', /\bsk-[\w-]{20,}/],
  ['a token of GitHub', /\b(?:gh[pousr]_\w{30,}|github_pat_\w{30,})/],
  ['a token of GitLab', /\bgl(?:pat|dt|rt|ptt)-[\w-]{20,}/],
  ['a key of Amazon Web Services', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a key of Google', /\b(?:AIza[\w-]{35}|GOCSPX-[\w-]{20,}|ya29\.[\w-]{20,})/],
  ['a token of Slack', /\bxox[abeoprs]-[\w-]{10,}|hooks\.slack\.com\/services\/\w+/],
  ['a token of Discord', /\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}/],
  ['a token of Telegram', /\b\d{8,10}:[\w-]{35}\b/],
  ['a key of Stripe', /\b[rs]k_(?:live|test)_\w{10,}/],
  ['a token of npm', /\bnpm_\w{36}\b/],
  ['a token of PyPI', /\bpypi-[\w-]{30,}/],
  ['a token of Hugging Face', /\bhf_\w{30,}/],
  ['a key of SendGrid', /\bSG\.[\w-]{20,}\.[\w-]{20,}/],
  ['a signed token (JWT)', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['an address with a password', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:[^\s/@]+@/i],
];

/**
 * Refuses text with a key in it, since every reader could use it; invisible characters do not hide one.
 *
 * @throws bad_request (secret_in_text)
 */
export function refuseSecrets(
  fields: Readonly<Record<string, string | readonly string[] | undefined>>,
): void {
  for (const [field, value] of Object.entries(fields)) {
    const text = [value ?? '']
      .flat()
      .join('\n')
      .normalize('NFKC')
      .replaceAll(/\p{Cf}/gu, '');
    const found = shapes.find(([, shape]) => shape.test(text));
    if (found !== undefined)
      throw badRequest(
        `${field}: holds what looks like ${found[0]}, which every reader could use; take it out, and replace the key if it is a real one`,
        { code: 'secret_in_text', field },
      );
  }
}
