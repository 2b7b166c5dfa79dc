// Compares JSON answers with TypeScript types of other people: a field of another type, or, where the type allows no
// others, a field that the type does not know, is an error. A missing field is none.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

// `answers` has lists of a type and a value. Returns what the compiler says; empty if all fit.
export function check(folder, module, answers) {
  const types = [...new Set(answers.map(([type]) => type.replace('[]', '')))];
  const lines = [
    `import type { ${types.join(', ')} } from '${module}';`,
    'type Part<T> = T extends (infer U)[] ? Part<U>[] : T extends object ? { [K in keyof T]?: Part<T[K]> | null } : T;',
    ...answers.map(([type, value], i) => `export const a${i}: Part<${type}> = ${JSON.stringify(value)};`),
  ];
  const at = mkdtempSync(join(folder, 'types-'));
  try {
    const file = join(at, 'answers.ts');
    writeFileSync(file, lines.join('\n') + '\n');
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript')), 'tsc.js');
    const options = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler'.split(' ');
    const run = spawnSync(process.execPath, [tsc, ...options, file], { encoding: 'utf8' });
    return run.status === 0 ? '' : (run.stdout + run.stderr).replaceAll(at, '');
  } finally {
    rmSync(at, { recursive: true });
  }
}
