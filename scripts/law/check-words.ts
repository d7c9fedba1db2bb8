// Comments whose sentences a reader has to read twice: prints them, and fails when there are any. Given a path
// ("services/groups", "proto") it looks below that path. With --counts it prints how many each folder has.
import { join, posix } from 'node:path';
import { type Comment, tokensOf } from './imports.ts';
import { protoComments } from './proto-comments.ts';
import { readTree } from './tree.ts';
import { hardWordsIn } from './words.ts';

const folders = ['services', 'packages', 'web', 'tests', 'bench', 'scripts', 'loadtest', 'interop'];
const [below = ''] = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));

const found: { path: string; where: string; text: string }[] = [];
for (const { path, text } of readTree(join(import.meta.dirname, '..', '..')).files) {
  if (!folders.includes(path.split('/')[0]!)) continue;
  const comments: Comment[] = [];
  tokensOf(text, comments);
  for (const word of comments.flatMap(hardWordsIn))
    found.push({ path, where: `${path}:${word.line}`, text: word.text });
}
for (const [name, text] of protoComments()) {
  for (const word of hardWordsIn({ text, line: 0 }))
    found.push({ path: `proto/${name}`, where: `proto: ${name}`, text: word.text });
}

const wanted = found.filter(({ path }) => path.startsWith(below));
if (process.argv.includes('--counts')) {
  const counts = new Map<string, number>();
  for (const { path } of wanted) {
    const parts = posix.dirname(path).split('/');
    const folder = parts.slice(0, ['services', 'packages'].includes(parts[0]!) ? 2 : 1).join('/');
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of [...counts].sort()) console.log(`${String(count).padStart(5)} ${folder}`);
} else for (const { where, text } of wanted) console.log(`${where} ${text}`);
console.log(
  wanted.length === 0
    ? 'Every comment begins with its subject.'
    : `${wanted.length} comments begin with Who, Whom, Whose, What or Of, or say somebody or nobody. Begin with the subject, and name the role: a caller, a member, the recipient, no one.`,
);
if (wanted.length > 0) process.exitCode = 1;
