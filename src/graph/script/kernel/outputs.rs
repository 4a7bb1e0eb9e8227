//! What an `eval` gave back → one value per declared output.

use super::super::error::{ScriptError, did_you_mean};
use super::super::node_type::{NodeType, OutputPort, PortType};
use super::{Kernel, Val, identifier};
use jounce_ir::Builder;

impl Kernel {
    /// The values of the outputs that the script declared, in order. `any_is_vec3` is what the
    /// node's ANY ports turned out to be.
    pub fn outputs(
        &self,
        builder: &mut Builder,
        node_type: &NodeType,
        result: Val,
        any_is_vec3: bool,
    ) -> Result<Vec<Val>, ScriptError> {
        let declared: Vec<&OutputPort> =
            node_type.outputs.iter().filter(|output| output.per_bone_of.is_none()).collect();
        let names: Vec<String> = declared.iter().map(|output| identifier(&output.name)).collect();
        let values = match (result, &names[..]) {
            // The reason has been reported already.
            (Val::Unknown, _) => return Ok(vec![Val::Unknown; names.len()]),
            (Val::Map(map), _) => {
                if let Some(extra) = map.keys().find(|key| !names.contains(key)) {
                    let hint = did_you_mean(extra, names.iter().map(String::as_str));
                    return self
                        .wrong(format!("`eval` returns `{extra}`, which is not an output{hint}"));
                }
                let missing = names.iter().find(|name| !map.contains_key(*name));
                if let Some(missing) = missing {
                    return self
                        .wrong(format!("`eval` does not return `{missing}`; add it to its map"));
                }
                names.iter().map(|name| map[name].clone()).collect()
            }
            (value, [_]) => vec![value],
            (_, names) => {
                let all: Vec<String> = names.iter().map(|name| format!("{name}: …")).collect();
                return self.wrong(format!(
                    "the node has {} outputs; end `eval` with #{{ {} }}",
                    names.len(),
                    all.join(", ")
                ));
            }
        };
        let pairs = declared.iter().zip(values);
        pairs.map(|(port, value)| self.fit(builder, port, value, any_is_vec3)).collect()
    }

    fn fit(
        &self,
        builder: &mut Builder,
        port: &OutputPort,
        value: Val,
        any_is_vec3: bool,
    ) -> Result<Val, ScriptError> {
        let is_vec3 = port.ty == PortType::Vec3 || (port.ty == PortType::Any && any_is_vec3);
        let fitted = match (port.ty, &value) {
            (_, Val::Unknown) => Some(Val::Unknown),
            _ if is_vec3 => value.vec3(builder).map(Val::Vec3),
            (PortType::Any, Val::Vec3(_)) => Some(value.clone()),
            (PortType::Float | PortType::Any, _) => value.float(builder).map(Val::Float),
            (PortType::Quat, Val::Quat(..)) | (PortType::Mat3, Val::Mat3(_)) => Some(value.clone()),
            _ => None,
        };
        let Some(fitted) = fitted else {
            let (name, ty, found) = (&port.name, port.ty, value.describe());
            let hint = match (port.ty, &value) {
                (PortType::Float, Val::Vec3(_)) => "; take length(v) or a part such as v.x",
                (PortType::Vec3, Val::List(_)) => "; write vec3(x, y, z)",
                (_, Val::Unit) => "; end `eval` with the value, without a semicolon",
                (PortType::Float, Val::Bool(_)) => "; write `if condition { 1 } else { 0 }`",
                _ => "",
            };
            let message =
                format!("the output \"{name}\" is a {ty}, but `eval` returns {found}{hint}");
            return self.wrong(message);
        };
        if let [part] = fitted.parts()[..] {
            builder.name(part, &port.name);
        }
        Ok(fitted)
    }

    fn wrong<T>(&self, message: String) -> Result<T, ScriptError> {
        Err(self.wrong_in("eval", message))
    }
}
