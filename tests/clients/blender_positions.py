"""Compares baked positions with Blender's own glTF import and skinning.

    python blender_positions.py JOUNCE FILE.glb...

For every clip it takes a few moments on keys (between keys Blender interpolates rotations
differently), bakes each with `jounce bake --at`, sets the same moment in Blender, and prints the
largest difference of any vertex as a share of the character's size: one line per clip,

    OK|BAD FILE CLIP worst=… vertices=… moments=…

Needs Blender as a Python module (bpy) and numpy. Exits with 1 if a line is BAD.
"""

import base64
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile

import bpy
import numpy as np

FPS = 24
MOMENTS = 5
LIMIT = 1e-5


def gltf_json(path):
    data = open(path, "rb").read()
    if data[:4] != b"glTF":
        return json.loads(data)
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length])


def bake(jounce, path, clip, at):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.pc2")
        command = [jounce, "bake", path, "--at", repr(at), "-o", out]
        command += ["--clip", str(clip)] if clip is not None else []
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        data = open(out, "rb").read()
    assert data[:12] == b"POINTCACHE2\0"
    points = struct.unpack_from("<i", data, 16)[0]
    return np.frombuffer(data, "<f4", points * 3, 32).reshape(-1, 3).astype(float)


def with_one_clip(path, index, folder):
    """Copies the file with a single animation, so that nothing another one moved stays moved."""
    document = gltf_json(path)
    document["animations"] = [document["animations"][index]]
    text = json.dumps(document).encode()
    copy = os.path.join(folder, os.path.basename(path))
    data = open(path, "rb").read()
    if data[:4] == b"glTF":
        text += b" " * (-len(text) % 4)
        rest = data[20 + struct.unpack_from("<I", data, 12)[0] :]
        header = struct.pack("<4sIIII", b"glTF", 2, 20 + len(text) + len(rest), len(text), 0x4E4F534A)
        text = header + text + rest
    else:
        for buffer in document["buffers"]:
            if not buffer["uri"].startswith("data:"):
                shutil.copy(os.path.join(os.path.dirname(path), buffer["uri"]), folder)
    open(copy, "wb").write(text)
    return copy


def open_in_blender(path):
    """Returns the scene's frame at which the clip's time is 0: the importer puts strips anywhere."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=path, merge_vertices=False)
    first_frame = 0.0
    for owner in list(bpy.data.objects) + list(bpy.data.shape_keys):
        data = owner.animation_data
        if data is None:
            continue
        data.action = None
        for track in data.nla_tracks:
            track.mute = False
            strip = track.strips[0]
            first_frame = strip.frame_start - strip.action_frame_start
    return first_frame


def blender_positions(frame):
    scene = bpy.context.scene
    scene.frame_set(int(frame), subframe=frame - int(frame))
    graph = bpy.context.evaluated_depsgraph_get()
    meshes = []
    for item in scene.objects:
        if item.type != "MESH" or item.name.startswith("Icosphere"):  # a bone's display shape
            continue
        evaluated = item.evaluated_get(graph)
        mesh = evaluated.to_mesh()
        local = np.empty(len(mesh.vertices) * 3)
        mesh.vertices.foreach_get("co", local)
        matrix = np.array(evaluated.matrix_world)
        world = local.reshape(-1, 3) @ matrix[:3, :3].T + matrix[:3, 3]
        evaluated.to_mesh_clear()
        meshes.append(np.stack([world[:, 0], world[:, 2], -world[:, 1]], 1))  # to Y up
    return meshes


def node_lengths(parts):
    """Vertices per node: Blender joins the primitives of a mesh."""
    lengths, last = [], None
    for part in parts:
        if part["node"] == last:
            lengths[-1] += part["vertices"]
        else:
            lengths.append(part["vertices"])
            last = part["node"]
    return lengths


def worst_difference(ours, lengths, meshes):
    """Pairs each node with the mesh of its length that fits best, each mesh once."""
    left = list(range(len(meshes)))
    worst, start = 0.0, 0
    for length in lengths:
        mine = ours[start : start + length]
        start += length
        fits = [(np.abs(meshes[i] - mine).max(), i) for i in left if len(meshes[i]) == length]
        if not fits:
            return None
        difference, index = min(fits)
        left.remove(index)
        worst = max(worst, difference)
    return worst


def read_view(path, document, view, offset, kind, count):
    view = document["bufferViews"][view]
    uri = document["buffers"][view["buffer"]].get("uri")
    if uri is None:
        data = open(path, "rb").read()
        data = data[20 + struct.unpack_from("<I", data, 12)[0] + 8 :]
    elif uri.startswith("data:"):
        data = base64.b64decode(uri.split(",", 1)[1])
    else:
        data = open(os.path.join(os.path.dirname(path), uri), "rb").read()
    return np.frombuffer(data, kind, count, view.get("byteOffset", 0) + offset)


def read_times(path, document, accessor):
    accessor = document["accessors"][accessor]
    if "bufferView" in accessor:
        offset = accessor.get("byteOffset", 0)
        times = read_view(path, document, accessor["bufferView"], offset, "<f4", accessor["count"]).copy()
    else:
        times = np.zeros(accessor["count"], "<f4")
    if "sparse" in accessor:
        sparse = accessor["sparse"]
        places, values = sparse["indices"], sparse["values"]
        kind = {5121: "<u1", 5123: "<u2", 5125: "<u4"}[places["componentType"]]
        at = read_view(path, document, places["bufferView"], places.get("byteOffset", 0), kind, sparse["count"])
        new = read_view(path, document, values["bufferView"], values.get("byteOffset", 0), "<f4", sparse["count"])
        times[at] = new
    return times


def moments(path, document, animation):
    """Times that are keys of every sampler, as far as there are any."""
    common = None
    for accessor in {sampler["input"] for sampler in animation["samplers"]}:
        times = set(read_times(path, document, accessor).tolist())
        common = times if common is None else common & times
    common = sorted(common or [])
    if len(common) <= MOMENTS:
        return common
    return [common[i * (len(common) - 1) // (MOMENTS - 1)] for i in range(MOMENTS)]


def compare(jounce, path):
    document = gltf_json(path)
    report = json.loads(subprocess.run([jounce, "inspect", "--json", path], check=True, capture_output=True).stdout)
    animations = document.get("animations") or [None]
    good = True
    for index, animation in enumerate(animations):
        if animation is None:
            name, times = "(rest)", [0.0]
            first_frame = open_in_blender(path)
        else:
            name, times = animation.get("name", str(index)), moments(path, document, animation)
            with tempfile.TemporaryDirectory() as folder:
                first_frame = open_in_blender(with_one_clip(path, index, folder))
        worst = 0.0
        for time in times:
            at = index if animation is not None else None
            ours = bake(jounce, path, at, time)
            difference = worst_difference(ours, node_lengths(report["parts"]), blender_positions(first_frame + time * FPS))
            worst = np.inf if difference is None else max(worst, difference / report["size"])
        ok = worst <= LIMIT and times
        good &= bool(ok)
        label = "OK" if ok else "BAD"
        print(f"{label} {os.path.basename(path)} {name!r} worst={worst:.2e} vertices={report['vertices']} moments={len(times)}", flush=True)
    return good


if __name__ == "__main__":
    results = [compare(sys.argv[1], path) for path in sys.argv[2:]]
    print("DONE")
    sys.exit(0 if all(results) else 1)
