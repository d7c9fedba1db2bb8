import { cleanText } from './text.ts';

/** Generic top-level domains that links in short texts use; country codes are matched by their shape. */
const genericDomains = [
  'academy agency app art asia bar best bid biz blog bot business buzz cafe cam care cash casino',
  'center chat city click cloud club com company cyou date deals design dev digital directory',
  'download edu email energy events expert finance fit foundation fun fund gallery games gold gov',
  'group guru health help host house icu info ink int jobs land life link live loan lol ltd market',
  'marketing media mil mobi money monster museum name net network news ngo ninja one ong online org',
  'page party photos pizza plus press pro quest racing rest review rip rocks run sbs science services',
  'shop site social software solutions space store stream studio support systems team tech technology',
  'tel tips today tools top trade travel vip wang webcam website wiki win work works world wtf xxx',
  'xyz zip zone test example',
].flatMap((line) => line.split(' '));

/** Country codes, except those better known as file endings or words. */
const countryCodes =
  'a[cdefgilmoqrtuwxz]|b[abdefghijmnorstvwyz]|c[adfghiklmnoruvwxyz]|d[ejkmoz]|e[cegrstu]|f[ijkmor]|' +
  'g[abdefghilmnpqrstuwy]|h[kmnrtu]|i[delmnoqrst]|j[emop]|k[eghimnprwyz]|l[abcikrstuvy]|' +
  'm[aceghlmnopqrstuvwxyz]|n[acefgilopruz]|om|p[aefghkmnrtw]|qa|r[eouw]|s[abcdegijklmnrstuvxyz]|' +
  't[cdfghjklmnortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[amw]';

function bareName(before: string, domains: string): RegExp {
  return new RegExp(`${before}\\.(?:${domains})(?![\\p{L}\\p{N}-])`, 'u');
}

const patterns = [
  // A scheme, including schemes without a host.
  /[a-z][a-z0-9+.-]{1,20}:\/\//iu,
  /\b(?:mailto|tel|sms|data|javascript):\S/iu,
  /\bwww\.\S/iu,
  // An email address, a home's address or a handle: `@` before a letter or digit, anywhere.
  /@[\p{L}\p{N}]/u,
  // A name or IPv4 address followed by a path, query or port.
  /[\p{L}\p{N}-]\.(?!(?:[jt]sx?|json|html?|css|csv|pdf|txt|docx?|xlsx?|png|jpe?g)\b)\p{L}{2,24}(?::\d{2,5}|[/?#]\S)/iu,
  /\b\d{1,3}(?:\.\d{1,3}){3}[:/]/u,
  // A bare name under a top-level domain; `cats.It` with its single capital starts a sentence.
  /[\p{L}\p{N}]\.(?:com|net|org|info|biz|edu|gov|app|dev|xyz|xn--[a-z0-9-]+)(?![\p{L}\p{N}-])/iu,
  bareName('[\\p{L}\\p{N}]', genericDomains.join('|')),
  bareName('[\\p{L}\\p{N}]{2}', countryCodes),
  bareName('[\\p{Lu}\\p{N}]{2}', `${genericDomains.join('|')}|${countryCodes}`.toUpperCase()),
];

/**
 * Whether a text contains a way out of the home: a link, an email address, or an address of a person or AI. For
 * descriptions and similar texts, which must not contain any. Compatibility variants (`ｅｘａｍｐｌｅ．ｃｏｍ`) and hidden
 * characters do not evade it; words (`name at example`) do.
 */
export function containsContact(text: string): boolean {
  const plain = cleanText(text)
    .normalize('NFKC')
    .replace(/[\u3002\uff61\u2024]/gu, '.');
  return patterns.some((pattern) => pattern.test(plain));
}
