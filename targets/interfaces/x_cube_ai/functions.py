"""ST's functions of a model, as C with names to fill in: X-CUBE-AI's on the static handle, ST Edge AI's on contexts."""

FUNCTIONS = """\
static {handle} {instance};
static ai_buffer {buffers}[{count}];
static ai_buffer {memories}[2]; /* activations, weights */

static stillpool_st_context *{m}_st_of(ai_handle network)
{{
    return network == AI_HANDLE_NULL ? &{instance}.context : (stillpool_st_context *)network;
}}

ai_error {f}_create(ai_handle *network, const ai_buffer *network_config)
{{
    (void)network_config;
    if (network == NULL) {{
        return ai_error_of(AI_ERROR_INVALID_HANDLE, AI_ERROR_CODE_INVALID_PTR);
    }}
    *network = AI_HANDLE_PTR(&{instance});
    (void)stillpool_st_open(&{descriptor}, &{instance});
    stillpool_st_buffers(&{descriptor}, &{instance}.context, {buffers});
    return {f}_get_error(*network);
}}

static ai_bool {m}_st_activate(stillpool_st_context *network, ai_handle activations)
{{
    uint8_t *const bytes = activations != NULL ? (uint8_t *)activations : {descriptor}.activations;
    const ai_bool is_ready = stillpool_st_activate(&{descriptor}, network, bytes) == STAI_SUCCESS;
    stillpool_st_buffers(&{descriptor}, network, {buffers});
    return is_ready;
}}

ai_bool {f}_init(ai_handle network, const ai_network_params *params)
{{
    ai_handle activations = NULL;
    if (params != NULL) {{
        activations = params->activations.data;
        if (activations == NULL && params->map_activations.size > 0 && params->map_activations.buffer != NULL) {{
            activations = params->map_activations.buffer[0].data;
        }}
    }}
    return {m}_st_activate({m}_st_of(network), activations);
}}

ai_error {f}_create_and_init(ai_handle *network, const ai_handle activations[], const ai_handle weights[])
{{
    const ai_error error = {f}_create(network, NULL);
    (void)weights;
    if (error.type != AI_ERROR_NONE) {{
        return error;
    }}
    (void){m}_st_activate({m}_st_of(*network), activations == NULL ? NULL : activations[0]);
    return {f}_get_error(*network);
}}

ai_handle {f}_destroy(ai_handle network)
{{
    {m}_st_of(network)->is_open = 0;
    return AI_HANDLE_NULL;
}}

ai_error {f}_get_error(ai_handle network)
{{
    stillpool_st_context *const context = {m}_st_of(network);
    const ai_error error = stillpool_st_error(context->code);
    context->code = STAI_SUCCESS;
    return error;
}}

ai_bool {f}_get_report(ai_handle network, ai_network_report *report)
{{
    (void)network;
    if (report == NULL) {{
        return false;
    }}
    stillpool_st_memories(&{descriptor}, {memories});
    stillpool_st_report(&{descriptor}, {buffers}, {memories}, report);
    return true;
}}

ai_bool {f}_get_info(ai_handle network, ai_network_report *report)
{{
    return {f}_get_report(network, report);
}}

ai_buffer *{f}_inputs_get(ai_handle network, ai_u16 *n_buffer)
{{
    (void)network;
    if (n_buffer != NULL) {{
        *n_buffer = {inputs};
    }}
    return {buffers};
}}

ai_buffer *{f}_outputs_get(ai_handle network, ai_u16 *n_buffer)
{{
    (void)network;
    if (n_buffer != NULL) {{
        *n_buffer = {outputs};
    }}
    return {buffers} + {inputs};
}}

ai_i32 {f}_run(ai_handle network, const ai_buffer *input, ai_buffer *output)
{{
    stillpool_st_context *const context = {m}_st_of(network);
    if (!context->is_open) {{
        context->code = STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
        return 0;
    }}
    return stillpool_st_run_buffers(&{descriptor}, context, input != NULL ? input : {buffers},
        output != NULL ? output : {buffers} + {inputs});
}}

ai_i32 {f}_forward(ai_handle network, const ai_buffer *input)
{{
    return {f}_run(network, input, NULL);
}}

ai_handle {f}_data_weights_get(void)
{{
    return AI_HANDLE_NULL;
}}

ai_bool {f}_data_params_get(ai_network_params *params)
{{
    if (params == NULL) {{
        return false;
    }}
    memset(params, 0, sizeof *params);
    stillpool_st_memories(&{descriptor}, {memories});
    params->activations = {memories}[0];
    params->params = {memories}[1];
    params->map_signature = AI_MAGIC_SIGNATURE;
    params->map_activations = stillpool_st_array({memories});
    params->map_weights = stillpool_st_array({memories} + 1);
    return true;
}}

stai_return_code st{f}_init(stai_network *network)
{{
    return stillpool_st_open(&{descriptor}, network);
}}

stai_size st{f}_get_context_size(void)
{{
    return (stai_size)sizeof({handle});
}}

stai_return_code st{f}_get_info(stai_network *network, stai_network_info *info)
{{
    (void)network;
    return stillpool_st_info(&{descriptor}, info);
}}

stai_return_code st{f}_deinit(stai_network *network)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    context->is_open = 0;
    return STAI_SUCCESS;
}}

stai_return_code st{f}_get_error(stai_network *network)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return context->code;
}}

stai_return_code st{f}_run(stai_network *network, stai_run_mode mode)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    if (mode != STAI_MODE_SYNC) {{
        return stillpool_st_failed(context, STAI_ERROR_NOT_IMPLEMENTED);
    }}
    return stillpool_st_run(&{descriptor}, context);
}}

stai_return_code st{f}_get_activations(stai_network *network, stai_ptr *activations, stai_size *n_activations)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    if (n_activations == NULL) {{
        return stillpool_st_failed(context, STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS);
    }}
    *n_activations = 1;
    if (activations != NULL) {{
        activations[0] = context->activations;
    }}
    return STAI_SUCCESS;
}}

stai_return_code st{f}_set_activations(stai_network *network, const stai_ptr *activations, stai_size n_activations)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    if (n_activations != 1) {{
        return stillpool_st_failed(context, STAI_ERROR_NETWORK_INVALID_ACTIVATIONS_NUM);
    }}
    return stillpool_st_activate(&{descriptor}, context, activations == NULL ? NULL : activations[0]);
}}

stai_return_code st{f}_set_weights(stai_network *network, const stai_ptr *weights, stai_size n_weights)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    (void)weights;
    if (n_weights != 1) {{
        return stillpool_st_failed(context, STAI_ERROR_NETWORK_INVALID_WEIGHTS_NUM);
    }}
    return STAI_SUCCESS;
}}

stai_return_code st{f}_get_weights(stai_network *network, stai_ptr *weights, stai_size *n_weights)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    if (n_weights == NULL) {{
        return stillpool_st_failed(context, STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS);
    }}
    *n_weights = 1;
    if (weights != NULL) {{
        weights[0] = NULL;
    }}
    return STAI_SUCCESS;
}}

stai_return_code st{f}_get_states(stai_network *network, stai_ptr *states, stai_size *n_states)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    (void)states;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    if (n_states == NULL) {{
        return stillpool_st_failed(context, STAI_ERROR_NETWORK_INVALID_API_ARGUMENTS);
    }}
    *n_states = 0;
    return STAI_SUCCESS;
}}

stai_return_code st{f}_set_states(stai_network *network, const stai_ptr *states, stai_size n_states)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    (void)states;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return n_states == 0 ? STAI_SUCCESS : stillpool_st_failed(context, STAI_ERROR_NETWORK_INVALID_STATES_NUM);
}}

stai_return_code st{f}_set_callback(stai_network *network, const stai_event_cb cb, void *cb_cookie)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    (void)cb_cookie;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return cb == NULL ? STAI_SUCCESS : stillpool_st_failed(context, STAI_ERROR_NOT_IMPLEMENTED);
}}

stai_return_code st{f}_get_inputs(stai_network *network, stai_ptr *inputs, stai_size *n_inputs)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return stillpool_st_get(&{descriptor}, context, inputs, n_inputs, 0);
}}

stai_return_code st{f}_set_inputs(stai_network *network, const stai_ptr *inputs, stai_size n_inputs)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return stillpool_st_set(&{descriptor}, context, inputs, n_inputs, 0);
}}

stai_return_code st{f}_get_outputs(stai_network *network, stai_ptr *outputs, stai_size *n_outputs)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return stillpool_st_get(&{descriptor}, context, outputs, n_outputs, 1);
}}

stai_return_code st{f}_set_outputs(stai_network *network, const stai_ptr *outputs, stai_size n_outputs)
{{
    stillpool_st_context *const context = (stillpool_st_context *)(void *)network;
    if (!stillpool_st_is_open(context)) {{
        return STAI_ERROR_NETWORK_INVALID_CONTEXT_HANDLE;
    }}
    return stillpool_st_set(&{descriptor}, context, outputs, n_outputs, 1);
}}
"""
