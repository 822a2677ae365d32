// A web server, bundles and a browser for the tests of what runs outside Node.

import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { build } from 'esbuild';
import puppeteer from 'puppeteer-core';
import { PROJECT } from './helpers.js';

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };

/**
 * Serves files from a Map of paths to texts or bytes. `requested` has what was asked for since it
 * was last emptied.
 */
export async function serve(files, headers = {}) {
  const requested = [];
  const server = createServer((request, response) => {
    const name = new URL(request.url, 'http://localhost').pathname;
    requested.push(name);
    const body = files.get(name);
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      ...headers,
    });
    response.end(body);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    requested,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A script of test/browser/ and what it imports, as files for `serve`; the first is `/NAME.js`. */
export async function bundled(name, format) {
  const { outputFiles } = await build({
    entryPoints: [new URL(`browser/${name}.js`, import.meta.url).pathname],
    bundle: true,
    write: false,
    outdir: '/',
    format,
    splitting: format === 'esm',
    // Node has files of its own in the package.
    platform: 'browser',
    target: 'es2022',
    alias: { '#vectors': path.join(PROJECT, 'vectors') },
    logLevel: 'error',
  });
  return outputFiles.map(({ path: place, contents }) => [place, contents]);
}

const CHROMIUM = process.env.KUAIMI_CHROMIUM ?? '/usr/bin/chromium';

/** Chromium without a window, with more arguments. */
export async function chromium(...args) {
  if (!existsSync(CHROMIUM)) {
    throw new Error(`there is no browser at ${CHROMIUM}: apt-get install chromium, or set KUAIMI_CHROMIUM to where it is`);
  }
  // Chromium's sandbox refuses to run as root.
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return puppeteer.launch({ executablePath: CHROMIUM, args: [...sandbox, ...args] });
}

/** Firefox in the same way, over WebDriver BiDi. */
export async function firefox() {
  const executablePath = process.env.KUAIMI_FIREFOX_PATH ?? '/usr/bin/firefox-esr';
  if (!existsSync(executablePath)) {
    throw new Error(`there is no browser at ${executablePath}: apt-get install firefox-esr, or set KUAIMI_FIREFOX_PATH to where it is`);
  }
  return puppeteer.launch({ browser: 'firefox', executablePath });
}
