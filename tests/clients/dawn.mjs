// Compiles WGSL with Dawn (npm package `webgpu`), every entry point as a pipeline.
// usage: JOUNCE_NODE_MODULES=folder node dawn.mjs FILE.wgsl...   Prints a line per file.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = process.env.JOUNCE_NODE_MODULES;
const where = folder ? pathToFileURL(path.join(folder, 'webgpu', 'index.js')).href : 'webgpu';
const { create, globals } = await import(where);
Object.assign(globalThis, globals);
// Validates everything and runs nothing, so no graphics driver is needed.
const gpu = create(['backend=null']);
const adapter = await gpu.requestAdapter();
const device = await adapter.requestDevice();

for (const file of process.argv.slice(2)) {
  const code = fs.readFileSync(file, 'utf8');
  device.pushErrorScope('validation');
  const module = device.createShaderModule({ code });
  const { messages } = await module.getCompilationInfo();
  const entries = [];
  const pattern = /@(compute|vertex)[^{]*?\bfn\s+(\w+)/gs;
  for (const [, stage, entryPoint] of code.matchAll(pattern)) {
    entries.push(entryPoint);
    if (stage === 'compute') {
      device.createComputePipeline({ layout: 'auto', compute: { module, entryPoint } });
    } else {
      const depthStencil = { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' };
      device.createRenderPipeline({ layout: 'auto', vertex: { module, entryPoint }, depthStencil });
    }
  }
  const error = await device.popErrorScope();
  const bad = messages.filter((message) => message.type === 'error');
  const said = [...bad.map((m) => `${m.lineNum}:${m.linePos} ${m.message}`), error?.message ?? ''];
  const verdict = bad.length || error ? 'BAD' : 'OK';
  console.log(`${verdict} ${file} ${entries.join(' ')} ${said.filter(Boolean).join('; ')}`.trim());
}
console.log('DONE');
device.destroy();
process.exit(0);
