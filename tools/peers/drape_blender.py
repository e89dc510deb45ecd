"""The drape in Blender, headless: blender -b --factory-startup --python drape_blender.py -- SHEET.obj BALL.obj QUALITY SECONDS OUT.obj
Prints one line of JSON that begins with "PEER ": seconds of the frames, and what was set. Steps are Blender's own: QUALITY of them
in each frame of 1/24 s. Blender wants a mass a vertex. With its default of 0.3 kg the ball comes through the sheet; with the 0.2 kg
that the sheet has in weft its default stiffness and damping keep it from draping within a second. A finer sheet wants more mass to
drape. Everything but mass, air and contact distance stays as Blender has it."""
import json
import sys
import time

import bpy

sheet_path, ball_path, quality, seconds, out = sys.argv[sys.argv.index("--") + 1:]
quality, seconds = int(quality), float(seconds)
FRAMES_A_SECOND = 24
DISTANCE = 0.001  # [m] contact distance, as its thickness


def read(path, name):
    vertices, faces = [], []
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            words = line.split()
            if words and words[0] == "v":
                vertices.append([float(word) for word in words[1:4]])
            elif words and words[0] == "f":
                faces.append([int(word.split("/")[0]) - 1 for word in words[1:]])
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices, [], faces)
    mesh.update()
    result = bpy.data.objects.new(name, mesh)
    bpy.context.collection.objects.link(result)
    return result


bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
ball, sheet = read(ball_path, "ball"), read(sheet_path, "sheet")
scene = bpy.context.scene
scene.gravity = (0, 0, -9.81)
scene.render.fps = FRAMES_A_SECOND
frames = round(seconds * FRAMES_A_SECOND)
scene.frame_start, scene.frame_end = 1, frames + 1

ball.modifiers.new("collision", "COLLISION")
ball.collision.thickness_outer = DISTANCE
cloth = sheet.modifiers.new("cloth", "CLOTH")
cloth.settings.quality = quality
count = len(sheet.data.vertices)
# Of the sheet [kg]. 10K triangles: through the ball with 18. 97K: nearly flat with 6.
cloth.settings.mass = (6.0 if count < 20000 else 250.0) / count
cloth.settings.air_damping = 0  # its default of 1 is a parachute at this mass
cloth.collision_settings.use_collision = True
cloth.collision_settings.distance_min = DISTANCE
cloth.collision_settings.use_self_collision = True
cloth.collision_settings.self_distance_min = DISTANCE
cloth.point_cache.frame_start, cloth.point_cache.frame_end = 1, frames + 1

times = []
for frame in range(1, frames + 2):
    begun = time.monotonic()
    scene.frame_set(frame)
    sheet.evaluated_get(bpy.context.evaluated_depsgraph_get())
    times.append(time.monotonic() - begun)

evaluated = sheet.evaluated_get(bpy.context.evaluated_depsgraph_get())
mesh = evaluated.to_mesh()
with open(out, "w", encoding="utf-8") as stream:
    for vertex in mesh.vertices:
        stream.write("v %.9g %.9g %.9g\n" % tuple(sheet.matrix_world @ vertex.co))
    for polygon in mesh.polygons:
        stream.write("f " + " ".join(str(i + 1) for i in polygon.vertices) + "\n")
print("PEER " + json.dumps({
    "version": bpy.app.version_string, "seconds": sum(times[1:]), "frames": frames, "frame": 1 / FRAMES_A_SECOND,
    "step": 1 / FRAMES_A_SECOND / quality, "mass": cloth.settings.mass,
    "tension": cloth.settings.tension_stiffness, "bending": cloth.settings.bending_stiffness,
    "collision_quality": cloth.collision_settings.collision_quality}))
