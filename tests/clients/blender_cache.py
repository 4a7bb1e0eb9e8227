"""Plays point caches with Blender's Mesh Cache modifier and compares every frame.

    python blender_cache.py FILE.pc2|FILE.mdd...

Prints one line per file, `OK|BAD FILE worst=… frames=…`, and exits with 1 if one is BAD.
"""

import os
import struct
import sys

import bpy
import numpy as np


def read(path):
    data = open(path, "rb").read()
    if path.endswith(".pc2"):
        points, start, _, frames = struct.unpack_from("<iffi", data, 16)
        return np.frombuffer(data, "<f4", frames * points * 3, 32).reshape(frames, points, 3), start
    frames, points = struct.unpack_from(">ii", data, 0)
    first = 8 + 4 * frames
    return np.frombuffer(data, ">f4", frames * points * 3, first).reshape(frames, points, 3), 0.0


def play(path):
    expected, start = read(path)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    mesh = bpy.data.meshes.new("cache")
    mesh.from_pydata(np.zeros((expected.shape[1], 3)).tolist(), [], [])
    item = bpy.data.objects.new("cache", mesh)
    scene.collection.objects.link(item)
    modifier = item.modifiers.new("cache", "MESH_CACHE")
    modifier.cache_format = os.path.splitext(path)[1][1:].upper()
    modifier.filepath = os.path.abspath(path)
    modifier.interpolation = "NONE"
    modifier.frame_start = start
    modifier.forward_axis, modifier.up_axis = "POS_Y", "POS_Z"  # positions as they are in the file
    worst = 0.0
    for frame in range(len(expected)):
        scene.frame_set(int(start) + frame)
        evaluated = item.evaluated_get(bpy.context.evaluated_depsgraph_get())
        found = np.empty(expected.shape[1] * 3, np.float32)
        evaluated.data.vertices.foreach_get("co", found)
        worst = max(worst, float(np.abs(found.reshape(-1, 3) - expected[frame]).max()))
    ok = worst < 1e-6 and len(expected) > 1 and np.abs(expected[0] - expected[-1]).max() > 1e-3
    print("OK" if ok else "BAD", os.path.basename(path), f"worst={worst:.1e} frames={len(expected)}", flush=True)
    return ok


if __name__ == "__main__":
    sys.exit(0 if all([play(path) for path in sys.argv[1:]]) else 1)
