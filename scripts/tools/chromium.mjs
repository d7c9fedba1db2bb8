import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFromDebian } from './debian.mjs';

/** Puts chromium, in which pages are tested, into .cache/bin unless it is on the PATH. */
export async function ensureChromium(root) {
  await ensureFromDebian(root, {
    name: 'chromium',
    packages: ['chromium', 'fonts-dejavu-core'],
    // Not the distribution's launcher, which expects chromium below /usr.
    program: join('usr', 'lib', 'chromium', 'chromium'),
    elsewhere: 'Install it, for example with `dnf install chromium` or `brew install --cask chromium`.',
    prepare: (folder) => ({ FONTCONFIG_FILE: writeFontConfig(folder) }),
  });
}

/** A machine without a screen often has no fonts either, without which a page cannot be checked. */
function writeFontConfig(folder) {
  const file = join(folder, 'fonts.conf');
  const cache = join(folder, 'font-cache');
  mkdirSync(cache, { recursive: true });
  const folders = ['/usr/share/fonts', join(folder, 'usr', 'share', 'fonts')];
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>${folders.map((path) => `<dir>${path}</dir>`).join('')}<cachedir>${cache}</cachedir></fontconfig>
`,
  );
  return file;
}
